/** Always secret, however short the value. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "xi-api-key",
  "openai-organization",
  "openai-project",
]);
/** Headers that errors may mention and anybody may read. All others come from the operator and may be secret. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "anthropic-beta",
  "anthropic-version",
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "http-referer",
  "openai-beta",
  "prefer",
  "referer",
  "user-agent",
  "x-title",
]);
/** Names of headers that carry credentials. */
const PROVES =
  /(?:^|[-_])(?:(?:api)?key|token|secret|auth\w*|pass\w*|cookie|credentials?|signature)(?:[-_]|$)/;
/**
 * Hiding shorter values would blot out ordinary words. The value of a header that is no credential may be the name of a
 * model or a version, so it must be longer.
 */
const MIN_PROOF_CHARACTERS = 6;
const MIN_OTHER_CHARACTERS = 16;
const SCHEME = /^(?:bearer|basic|token|key|apikey)\s+/i;

/** What must not reappear in a message about the call: its host and its credentials. */
export function secretsOf(host: string, headers: Readonly<Record<string, string>>): readonly string[] {
  return [host, host.replace(/:\d+$/, ""), ...headerSecrets(headers)];
}

/** The secrets in the headers alone; a credential may be quoted with its scheme or without. */
export function headerSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([given, text]) => {
    const name = given.toLowerCase();
    const value = text.trim();
    if (value === "" || HARMLESS_HEADERS.has(name)) return [];
    if (SECRET_HEADERS.has(name)) return [value.replace(/^\S+ /, "")];
    const isProof = PROVES.test(name) || SCHEME.test(value);
    const least = isProof ? MIN_PROOF_CHARACTERS : MIN_OTHER_CHARACTERS;
    return [value, value.replace(SCHEME, "")].filter(({ length }) => length >= least);
  });
}
