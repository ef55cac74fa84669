import type { EnvReader } from "./config-env.ts";
import { createEntryReader, PROVIDER_FIELDS } from "./config-provider-entry.ts";
import { refuseUnknown } from "./config-schema.ts";
import { isObject } from "./kit/index.ts";

/** How a provider is reached, as the operator says. What the name means is the registry's business. */
export type ProviderSettings = {
  readonly name: string;
  /** Null where the name says it. */
  readonly kind: ProviderKind | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onDisconnect?: "stop" | "drain";
  readonly apiVersion?: string;
  readonly region?: string;
  readonly project?: string;
  readonly streamUsage?: boolean;
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  readonly responses?: boolean;
};

/** Known by name: a key or an address in the environment is enough (`OPENAI_API_KEY`, `OPENAI_BASE_URL` …). */
export const VENDORS = [
  "openai",
  "anthropic",
  "google",
  "openrouter",
  "groq",
  "mistral",
  "deepseek",
  "xai",
  "together",
  "fireworks",
  "cerebras",
  "moonshot",
  "zai",
  "alibaba",
  "perplexity",
  "huggingface",
  "cohere",
  "fal",
  "replicate",
  "elevenlabs",
  "ollama",
  "llamacpp",
  "vllm",
] as const;

/** What their own tools call the key, where that is not `NAME_API_KEY`: it is read when the other is not set. */
const OTHER_KEY_NAMES: Readonly<Partial<Record<(typeof VENDORS)[number], string>>> = {
  fal: "FAL_KEY",
  replicate: "REPLICATE_API_TOKEN",
};

/** Of these nobody can know the address. */
const WITHOUT_ADDRESS: readonly ProviderKind[] = ["openai-wire", "azure"];

export const PROVIDER_KINDS = ["openai-wire", "azure", "bedrock", "vertex", ...VENDORS] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** Not a provider that can be set up: it is us, and has a switch of its own. */
const RESERVED = "sandbox";
const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/**
 * An entry of the file replaces what the environment says of that provider, whole: mixing the two could
 * send a key from somebody's shell to an address that it was never meant for.
 */
export function readProviders(
  env: EnvReader,
  given: unknown,
  problems: string[],
): ReadonlyMap<string, ProviderSettings> {
  const providers = new Map<string, ProviderSettings>();
  for (const name of VENDORS) {
    const otherName = OTHER_KEY_NAMES[name];
    const otherKey = otherName === undefined ? null : env.secret(otherName, 1);
    const apiKey = env.secret(`${name.toUpperCase()}_API_KEY`, 1) ?? otherKey;
    const baseUrl = env.httpUrl(`${name.toUpperCase()}_BASE_URL`);
    if (apiKey || baseUrl) providers.set(name, Object.freeze({ name, kind: null, baseUrl, apiKey }));
  }
  if (given === undefined || given === null) return providers;
  if (!isObject(given)) {
    problems.push("providers: must be a mapping of names");
    return providers;
  }
  for (const [name, entry] of Object.entries(given)) {
    const provider = readProvider({ name, entry, problems });
    if (provider) providers.set(name, Object.freeze(provider));
  }
  return providers;
}

function readProvider(input: {
  readonly name: string;
  readonly entry: unknown;
  readonly problems: string[];
}): ProviderSettings | null {
  const { name, entry, problems } = input;
  const path = `providers.${name}`;
  if (!NAME.test(name) || name === RESERVED) {
    problems.push(
      `${path}: must be a name of lower-case letters, digits and - _ (${RESERVED} is Bursar's own)`,
    );
    return null;
  }
  if (!isObject(entry)) {
    problems.push(`${path}: must be a mapping of ${PROVIDER_FIELDS.slice(0, 3).join(", ")} …`);
    return null;
  }
  refuseUnknown({ path, given: entry, known: PROVIDER_FIELDS, problems });
  const read = createEntryReader(path, entry, problems);
  const named = PROVIDER_KINDS.find((kind) => kind === name);
  const kind = read.oneOf("kind", PROVIDER_KINDS, { optional: named !== undefined });
  const spoken = kind ?? named;
  const needsAddress = spoken !== undefined && WITHOUT_ADDRESS.includes(spoken);
  const settings = {
    name,
    kind: kind ?? null,
    baseUrl: read.address("base_url", { optional: !needsAddress }),
    apiKey: read.apiKey("api_key"),
    ...given("headers", read.headers("headers")),
    ...given("onDisconnect", read.oneOf("on_disconnect", ["stop", "drain"], { optional: true })),
    ...given("apiVersion", read.word("api_version")),
    ...given("region", read.word("region")),
    ...given("project", read.word("project")),
    ...given("streamUsage", read.flag("stream_usage")),
    ...given(
      "maxTokensField",
      read.oneOf("max_tokens_field", ["max_tokens", "max_completion_tokens"], { optional: true }),
    ),
    ...given("responses", read.flag("responses")),
  };
  // No adapter could be made of it, and the doctor goes on with what could be read.
  const isReachable = spoken !== undefined && (settings.baseUrl !== null || !needsAddress);
  return isReachable ? settings : null;
}

/** What the file does not say is absent, not empty. */
function given<const Name extends keyof ProviderSettings, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: Value });
}
