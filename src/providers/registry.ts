import { assert, present } from "../kit/index.ts";
import {
  createAnthropicProvider,
  createBedrockProvider,
  createCohereProvider,
  createGoogleProvider,
  createVertexProvider,
} from "./ai-sdk/index.ts";
import { createGoogleMedia, createVertexMedia, createXaiMedia } from "./ai-sdk/media/index.ts";
import type { Provider, TextProvider } from "./contract.ts";
import type { ImageProvider, MusicProvider, SpeechProvider, VideoProvider } from "./media/media-contract.ts";
import { createOpenAiWireProvider, WIRE_VENDORS, type WireVendor } from "./openai-wire/index.ts";
import {
  createOutboundFetch,
  createPublicFetch,
  type OutboundTimeouts,
  type OutboundWay,
  type PublicFetch,
  type WaysOut,
  withAllowedHosts,
} from "./outbound/index.ts";
import { createElevenLabsProvider, createFalProvider, createReplicateProvider } from "./queues/index.ts";
import type { ProviderSettings } from "./settings.ts";

type Medium = Exclude<keyof Provider, "name" | "freeQuestion">;

/** Every configured provider by its name. Elsewhere a name is only a value: no other code branches on it. */
export type Registry = {
  /** Which providers are configured; the catalog lists a model only when one of its targets is. */
  readonly names: ReadonlySet<string>;
  /** Whether it is configured and makes that. */
  serves(name: string, medium: Medium): boolean;
  /** Whether its server drops messages without being asked to. */
  dropsMessages(name: string): boolean;
  /** Whether the limit of an answer leaves out what its models think. */
  thinksBeyondLimit(name: string): boolean;
  /** A resolved target's provider. The catalog offers only what is served, so a miss is our bug. */
  text(name: string): TextProvider;
  image(name: string): ImageProvider;
  speech(name: string): SpeechProvider;
  music(name: string): MusicProvider;
  video(name: string): VideoProvider;
};

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

/** Makes a provider of one kind. Some load the libraries behind them at their first call. */
type Factory = (settings: ProviderSettings, ways: WaysOut) => Provider;

function ofWire(vendor: WireVendor): Factory {
  return (settings, ways) => createOpenAiWireProvider(settings, vendor, ways);
}

/** The same provider with more to offer: text and media of one vendor are adapters of their own. */
function joined(first: Factory, more: (...input: Parameters<Factory>) => Omit<Provider, "name">): Factory {
  return (settings, ways) => ({ ...first(settings, ways), ...more(settings, ways) });
}

/** The one table of kinds. A provider without a kind is of the kind that its name says. */
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

/** For the test that holds them equal to what the configuration takes: neither room may import the other. */
export const KNOWN_KINDS: ReadonlySet<string> = new Set(FACTORIES.keys());

type ProvidersDeps = {
  readonly timeouts: OutboundTimeouts;
  /** On connections of our own where it is absent. */
  readonly outboundWay?: OutboundWay;
  /** Us, where the operator lets it serve. */
  readonly sandbox: Provider | null;
  /** Fetches what providers host; without any setting of the operator's where it is absent. */
  readonly fetchPublic?: PublicFetch;
};

/** Of one answer, framing included: a stream of the longest answers with all their probabilities fits. */
const MAX_BODY_BYTES = 256 << 20;

export function createProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
  { timeouts, outboundWay: way, sandbox, fetchPublic = createPublicFetch() }: ProvidersDeps,
): Provider[] {
  const providers = [...settings.values()].map((each) => {
    const kind = each.kind ?? each.name;
    const factory = FACTORIES.get(kind);
    assert(factory !== undefined, `no adapter is of kind ${kind}`);
    const outbound = createOutboundFetch({
      timeouts,
      way,
      maxBodyBytes: MAX_BODY_BYTES,
      provider: each.name,
    });
    return factory(each, { outbound, fetchPublic: withAllowedHosts(fetchPublic, hostsOf(each)) });
  });
  return sandbox === null ? providers : [...providers, sandbox];
}

/** A server on a private address hosts its results there, too. */
function hostsOf({ baseUrl }: ProviderSettings): readonly string[] {
  return baseUrl === null ? [] : [new URL(baseUrl).host];
}
