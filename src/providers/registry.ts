import { assert, present } from "../kit/index.ts";
import {
  createAnthropicProvider,
  createBedrockProvider,
  createCohereProvider,
  createGoogleProvider,
  createVertexProvider,
} from "./ai-sdk/index.ts";
import type { Provider, TextProvider } from "./contract.ts";
import type { ImageProvider, MusicProvider, SpeechProvider, VideoProvider } from "./media-contract.ts";
import { createOpenAiWireProvider, WIRE_VENDORS } from "./openai-wire/index.ts";
import { createOutboundFetch, type OutboundFetch, type OutboundTimeouts } from "./outbound/index.ts";
import type { ProviderSettings } from "./settings.ts";

/** Every configured provider by its name. Elsewhere a name is only a value: nobody else branches on it. */
export type Registry = {
  /** Which providers are configured; the catalog lists a model only when one of its targets is. */
  readonly names: ReadonlySet<string>;
  /** A resolved target's provider. The catalog offers only what is registered, so a miss is our bug. */
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
    text: serving("a target's text provider", ({ text }) => text),
    image: serving("a target's image provider", ({ image }) => image),
    speech: serving("a target's speech provider", ({ speech }) => speech),
    music: serving("a target's music provider", ({ music }) => music),
    video: serving("a target's video provider", ({ video }) => video),
  };
}

/** Makes a provider of one kind. The libraries behind some of them are loaded at their first call. */
type Factory = (settings: ProviderSettings, deps: { readonly outbound: OutboundFetch }) => Provider;

const wireFactories = Object.entries(WIRE_VENDORS).map(([kind, vendor]): readonly [string, Factory] => [
  kind,
  (settings, deps) => createOpenAiWireProvider(settings, vendor, deps),
]);

/** The one table of kinds. A provider without a kind is of the kind that its name says. */
const FACTORIES: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  ...wireFactories,
  ["anthropic", createAnthropicProvider],
  ["google", createGoogleProvider],
  ["vertex", createVertexProvider],
  ["bedrock", createBedrockProvider],
  ["cohere", createCohereProvider],
]);

export const KNOWN_KINDS: ReadonlySet<string> = new Set(FACTORIES.keys());

export type ProvidersDeps = {
  readonly timeouts: OutboundTimeouts;
  /** Us, where the operator lets it serve. */
  readonly sandbox: Provider | null;
};

/** Of one answer, framing included: a stream of the longest answers with all their probabilities fits. */
const MAX_BODY_BYTES = 256 << 20;

export function createProviders(
  settings: ReadonlyMap<string, ProviderSettings>,
  { timeouts, sandbox }: ProvidersDeps,
): Provider[] {
  const providers = [...settings.values()].map((each) => {
    const kind = each.kind ?? each.name;
    const factory = FACTORIES.get(kind);
    assert(factory !== undefined, `no adapter is of kind ${kind}`);
    const outbound = createOutboundFetch({ timeouts, maxBodyBytes: MAX_BODY_BYTES, provider: each.name });
    return factory(each, { outbound });
  });
  return sandbox === null ? providers : [...providers, sandbox];
}
