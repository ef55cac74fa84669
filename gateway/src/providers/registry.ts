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
import { createOpenAiWireProvider, type WireVendor } from "./openai-wire/index.ts";
import {
  createElevenLabsProvider,
  createFalProvider,
  createReplicateProvider,
  createSandboxQueue,
} from "./queues/index.ts";
import type { ProviderSettings } from "./settings.ts";
import type { Vendor } from "./vendor.ts";
import { VENDORS } from "./vendors.ts";

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

/** Creates a provider. Some load their libraries only on the first call. */
type Factory = (settings: ProviderSettings, ways: WaysOut, vendor: Vendor) => Provider;

const ofWire: Factory = (settings, ways, { habits }) =>
  // Every row of these wires has them: see `chat` in vendor.ts.
  createOpenAiWireProvider(settings, habits as WireVendor, ways);

/** One provider from two adapters: a vendor's text and its media have separate ones. */
function joined(first: Factory, more: (...input: Parameters<Factory>) => Omit<Provider, "name">): Factory {
  return (...input) => ({ ...first(...input), ...more(...input) });
}

const FACTORIES: Readonly<Record<Vendor["wire"], Factory>> = {
  openai: ofWire,
  sandbox: joined(ofWire, createSandboxQueue),
  xai: joined(ofWire, createXaiMedia),
  anthropic: createAnthropicProvider,
  google: joined(createGoogleProvider, createGoogleMedia),
  vertex: joined(createVertexProvider, createVertexMedia),
  bedrock: createBedrockProvider,
  cohere: createCohereProvider,
  fal: createFalProvider,
  replicate: createReplicateProvider,
  elevenlabs: createElevenLabsProvider,
};

type ProvidersDeps = {
  readonly timeouts: OutboundTimeouts;
  /** Absent: our own connections. */
  readonly outboundWay?: OutboundWay;
  /** Fetches files that providers host. Absent: without any settings of the operator. */
  readonly fetchPublic?: PublicFetch;
};

/** Limit of one response, framing included; a stream of the longest answers with all their logprobs fits. */
const MAX_BODY_BYTES = 256 << 20;

export function createProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
  { timeouts, outboundWay: way, fetchPublic = createPublicFetch() }: ProvidersDeps,
): Provider[] {
  return [...settings.values()].map((each) => {
    const kind = each.kind ?? each.name;
    const vendor = VENDORS[kind];
    assert(vendor !== undefined, `no adapter is of kind ${kind}`);
    const plain = createOutboundFetch({ timeouts, way, maxBodyBytes: MAX_BODY_BYTES, provider: each.name });
    // Here, so that text and media share one token.
    const { serviceAccount: account } = each;
    const outbound = account === undefined ? plain : withServiceAccount(plain, account);
    const ways = { outbound, fetchPublic: withAllowedHosts(fetchPublic, hostsOf(each)) };
    const provider = FACTORIES[vendor.wire](each, ways, vendor);
    return account === undefined ? provider : { ...provider, freeQuestion: tokenQuestion(account) };
  });
}

/** A server on a private address hosts its results there as well. */
function hostsOf({ baseUrl }: ProviderSettings): readonly string[] {
  return baseUrl === null ? [] : [new URL(baseUrl).host];
}
