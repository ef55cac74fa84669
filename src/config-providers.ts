import { type EnvReader, HTTP_URL_ACCEPTS, isToken, parseHttpUrl } from "./config-env.ts";
import { isMapping, type Mapping } from "./config-file.ts";
import { refuseUnknown } from "./config-schema.ts";

/** How a provider is reached, as the operator says. What the name means is the registry's business. */
export type ProviderSettings = {
  readonly name: string;
  /** Null for the providers known by name. */
  readonly kind: ProviderKind | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
};

export const PROVIDER_KINDS = ["openai-wire"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

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
  "ollama",
] as const;

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
    const apiKey = env.secret(`${name.toUpperCase()}_API_KEY`, 1);
    const baseUrl = env.httpUrl(`${name.toUpperCase()}_BASE_URL`);
    if (apiKey || baseUrl) providers.set(name, Object.freeze({ name, kind: null, baseUrl, apiKey }));
  }
  if (given === undefined || given === null) return providers;
  if (!isMapping(given)) {
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
  if (!isMapping(entry)) {
    problems.push(`${path}: must be a mapping of kind, base_url and api_key`);
    return null;
  }
  refuseUnknown({ path, given: entry, known: ["kind", "base_url", "api_key"], problems });
  const known = (VENDORS as readonly string[]).includes(name);
  return {
    name,
    kind: readKind(path, entry, known, problems),
    baseUrl: readBaseUrl(path, entry, known, problems),
    apiKey: readApiKey(path, entry, problems),
  };
}

function readKind(path: string, entry: Mapping, optional: boolean, problems: string[]): ProviderKind | null {
  const given = entry["kind"];
  const kind = PROVIDER_KINDS.find((candidate) => candidate === given);
  if (kind) return kind;
  if (!(given === undefined && optional)) {
    problems.push(`${path}.kind: must be one of ${PROVIDER_KINDS.join(", ")}`);
  }
  return null;
}

function readBaseUrl(path: string, entry: Mapping, optional: boolean, problems: string[]): string | null {
  const given = entry["base_url"];
  if (given === undefined && optional) return null;
  const url = typeof given === "string" ? parseHttpUrl(given) : null;
  if (url === null) problems.push(`${path}.base_url: ${HTTP_URL_ACCEPTS}`);
  return url;
}

function readApiKey(path: string, entry: Mapping, problems: string[]): string | null {
  const given = entry["api_key"];
  if (given === undefined) return null;
  // An empty one is the trace of a variable that was not set, which has been reported already.
  if (typeof given === "string" && (given === "" || isToken(given))) return given || null;
  problems.push(`${path}.api_key: must be text of visible ASCII characters without spaces`);
  return null;
}
