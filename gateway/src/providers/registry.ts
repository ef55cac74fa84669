import type { Provider, Registry } from "../contract/index.ts";
import { assert, present } from "../kit/index.ts";
import {
  createOutboundFetch,
  createPublicFetch,
  type OutboundTimeouts,
  type OutboundWay,
  type PublicFetch,
  type WaysOut,
  withAllowedHosts,
} from "../outbound/index.ts";
import {
  createAnthropicProvider,
  createBedrockProvider,
  createCohereProvider,
  createGoogleProvider,
  createVertexProvider,
  tokenQuestion,
  withServiceAccount,
} from "./ai-sdk/index.ts";
import { createGoogleMedia, createVertexMedia, createXaiMedia } from "./ai-sdk/media/index.ts";
import { createOpenAiWireProvider, WIRE_VENDORS, type WireVendor } from "./openai-wire/index.ts";
import { createElevenLabsProvider, createFalProvider, createReplicateProvider } from "./queues/index.ts";
import type { ProviderSettings } from "./settings.ts";

export function createRegistry(providers: readonly Provider[]): Registry {
  const byName = new Map<string, Provider>();
  for (const provider of providers) {
    assert(!byName.has(provider.name), `two providers are named ${provider.name}`);
    byName.set(provider.name, provider);
  }
  function serving<Served>(what: string, of: (provider: Provider) => Served | undefined) {
    return (name: string): Served => {
      const provider = byName.get(name);
      return present(provider && of(provider), what);
    };
  }
  return {
    names: new Set(byName.keys()),
    serves: (name, medium) => byName.get(name)?.[medium] !== undefined,
    dropsMessages: (name) => byName.get(name)?.text?.dropsMessages === true,
    thinksBeyondLimit: (name) => byName.get(name)?.text?.thinksBeyondLimit === true,
    text: serving("a target's text provider", ({ text }) => text),
    image: serving("a target's image provider", ({ image }) => image),
    speech: serving("a target's speech provider", ({ speech }) => speech),
    music: serving("a target's music provider", ({ music }) => music),
    video: serving("a target's video provider", ({ video }) => video),
  };
}

/** Creates a provider of one kind. Some load their libraries only on the first call. */
type Factory = (settings: ProviderSettings, ways: WaysOut) => Provider;

function ofWire(vendor: WireVendor): Factory {
  return (settings, ways) => createOpenAiWireProvider(settings, vendor, ways);
}

/** One provider from two adapters: a vendor's text and its media have separate ones. */
function joined(first: Factory, more: (...input: Parameters<Factory>) => Omit<Provider, "name">): Factory {
  return (settings, ways) => ({ ...first(settings, ways), ...more(settings, ways) });
}

/** The only table of kinds. A provider without a kind has its name as its kind. */
const FACTORIES: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  ...Object.entries(WIRE_VENDORS).map(([kind, vendor]) => [kind, ofWire(vendor)] as const),
  ["anthropic", createAnthropicProvider],
  ["xai", joined(ofWire(WIRE_VENDORS.xai), createXaiMedia)],
  ["google", joined(createGoogleProvider, createGoogleMedia)],
  ["vertex", joined(createVertexProvider, createVertexMedia)],
  ["bedrock", createBedrockProvider],
  ["cohere", createCohereProvider],
  ["fal", createFalProvider],
  ["replicate", createReplicateProvider],
  ["elevenlabs", createElevenLabsProvider],
]);

/** For the test that keeps them equal to the kinds of the configuration: neither room may import the other. */
export const KNOWN_KINDS: ReadonlySet<string> = new Set(FACTORIES.keys());

type ProvidersDeps = {
  readonly timeouts: OutboundTimeouts;
  /** Absent: our own connections. */
  readonly outboundWay?: OutboundWay;
  /** Our own sandbox, if the operator enables it. */
  readonly sandbox: Provider | null;
  /** Fetches files that providers host. Absent: without any settings of the operator. */
  readonly fetchPublic?: PublicFetch;
};

/** Limit of one response, framing included; a stream of the longest answers with all their logprobs fits. */
const MAX_BODY_BYTES = 256 << 20;

export function createProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
  { timeouts, outboundWay: way, sandbox, fetchPublic = createPublicFetch() }: ProvidersDeps,
): Provider[] {
  const providers = [...settings.values()].map((each) => {
    const kind = each.kind ?? each.name;
    const factory = FACTORIES.get(kind);
    assert(factory !== undefined, `no adapter is of kind ${kind}`);
    const plain = createOutboundFetch({ timeouts, way, maxBodyBytes: MAX_BODY_BYTES, provider: each.name });
    // Here, so that text and media share one token.
    const { serviceAccount: account } = each;
    const outbound = account === undefined ? plain : withServiceAccount(plain, account);
    const provider = factory(each, { outbound, fetchPublic: withAllowedHosts(fetchPublic, hostsOf(each)) });
    return account === undefined ? provider : { ...provider, freeQuestion: tokenQuestion(account) };
  });
  return sandbox === null ? providers : [...providers, sandbox];
}

/** A server on a private address hosts its results there as well. */
function hostsOf({ baseUrl }: ProviderSettings): readonly string[] {
  return baseUrl === null ? [] : [new URL(baseUrl).host];
}
