/** Secret however short they are. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "xi-api-key",
  "openai-organization",
  "openai-project",
]);
/** What errors speak of and anybody may read. Every other header is the operator's own, and may be a secret. */
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
/** Names of headers that prove who asks. */
const PROVES =
  /(?:^|[-_])(?:(?:api)?key|token|secret|auth\w*|pass\w*|cookie|credentials?|signature)(?:[-_]|$)/;
/** To hide a shorter text of the operator's would blot out words; what proves nothing may be the name of a model or a version. */
const MIN_PROOF_CHARACTERS = 6;
const MIN_OTHER_CHARACTERS = 16;
const SCHEME = /^(?:bearer|basic|token|key|apikey)\s+/i;

/** What a call must not see again in a message: where it went and what it proved itself with. */
export function secretsOf(host: string, headers: Readonly<Record<string, string>>): readonly string[] {
  return [host, host.replace(/:\d+$/, ""), ...headerSecrets(headers)];
}

/** The same of the headers alone; a credential is told with its scheme or without. */
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
