/** What a caller may read of a provider's message: no keys, addresses, ids, control characters, and not too much. */
export const MAX_MESSAGE_CHARACTERS = 300;
/** At most this much is read before redaction, so that its cost is bounded whatever a provider sends. */
const MAX_READ_CHARACTERS = 4_000;
const HIDDEN = "[hidden]";
/** Redacting shorter secrets would hide ordinary text; no real key is this short. */
const MIN_SECRET_CHARACTERS = 4;

const ZONES =
  "com|net|org|io|ai|dev|cloud|co|app|internal|local|localdomain|lan|corp|cn|eu|uk|de|fr|us|run|sh|xyz|info|tech|edu|gov|test|invalid|example";
const ID_PREFIXES =
  "req|org|proj|project|user|acct|account|resp|msg|chatcmpl|cmpl|run|call|gen|sess|rs|fc|file|asst|thread|batch|item|evt|trace|ref|toolu|srvtoolu|tenant|ws|deploy|dep|key|id";

/** In this order: a whole URL is hidden before its parts could be. Each pattern takes linear time. */
const ALWAYS: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]{0,15}:\/\/[^\s"'<>]+/gi,
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|pplx|csk|fw|r8|nvapi|svc_live|key)[-_][A-Za-z0-9*._-]{4,}/g,
  /\b(?:AIza|AKIA|ASIA|ya29\.|eyJ)[A-Za-z0-9._-]{8,}/g,
  /\barn:[^\s"'<>]+/gi,
  // How Google names what belongs to an account.
  /\bprojects\/[\w.:-]+(?:\/[^\s"'<>`]*)?/gi,
  /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g,
  /(?<![\w:])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4})?(?![\w:])|(?<![\w:])::1\b/gi,
  new RegExp(
    `\\b(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\\.){1,8}(?:${ZONES})\\b(?::\\d{1,5})?(?:/[^\\s"'<>]*)?`,
    "gi",
  ),
  /\blocalhost(?::\d{1,5})?\b/gi,
];

/** Hidden only if they contain a digit: `file_search` is a tool, `file-8s7d6f` is an id. */
const IF_DIGIT: readonly RegExp[] = [
  new RegExp(`\\b(?:${ID_PREFIXES})[-_][A-Za-z0-9]{5,}`, "gi"),
  /\b[A-Za-z0-9+]{20,}={0,2}/g,
];

export function sanitise(message: string, secrets: readonly string[]): string {
  // Longest first: a secret may be the beginning of another.
  const hidden = secrets
    .filter(({ length }) => length >= MIN_SECRET_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
  let text = readBeginning(message, hidden);
  for (const secret of hidden) text = text.replaceAll(secret, HIDDEN);
  for (const pattern of ALWAYS) text = text.replace(pattern, HIDDEN);
  for (const pattern of IF_DIGIT) text = text.replace(pattern, (word) => (/\d/.test(word) ? HIDDEN : word));
  return shortened(text.replace(/[\s\p{C}\u2028\u2029]+/gu, " ").trim());
}

/** A secret that crosses the cut would no longer be recognized, so its beginning is cut off as well. */
function readBeginning(message: string, secrets: readonly string[]): string {
  if (message.length <= MAX_READ_CHARACTERS) return message;
  const begun = secrets.flatMap((secret) => {
    const from = Math.max(0, MAX_READ_CHARACTERS - secret.length + 1);
    const at = message.slice(from, MAX_READ_CHARACTERS + secret.length - 1).indexOf(secret);
    return at < 0 ? [] : [from + at];
  });
  return message.slice(0, Math.min(MAX_READ_CHARACTERS, ...begun));
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_MESSAGE_CHARACTERS) return text;
  return `${characters
    .slice(0, MAX_MESSAGE_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}
