/** What a caller may read of a provider's words: no keys, addresses or ids, no control characters, no essay. */
export const MAX_MESSAGE_CHARACTERS = 300;
/** Read before redaction at most, so that its cost is bounded whatever a provider sends. */
const MAX_READ_CHARACTERS = 4_000;
const HIDDEN = "[hidden]";
/** A shorter secret would redact half the alphabet; no real key is that short. */
const MIN_SECRET_CHARACTERS = 4;

const ZONES =
  "com|net|org|io|ai|dev|cloud|co|app|internal|local|localdomain|lan|corp|cn|eu|uk|de|fr|us|run|sh|xyz|info|tech|edu|gov|test|invalid|example";
const ID_PREFIXES =
  "req|org|proj|project|user|acct|account|resp|msg|chatcmpl|cmpl|run|call|gen|sess|rs|fc|file|asst|thread|batch|item|evt|trace|ref|toolu|srvtoolu|tenant|ws|deploy|dep|key|id";

/** In this order: an address is hidden whole before its parts could be. Each is linear in the text. */
const ALWAYS: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]{0,15}:\/\/[^\s"'<>]+/gi,
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|pplx|csk|fw|r8|nvapi|svc_live|key)[-_][A-Za-z0-9*._-]{4,}/g,
  /\b(?:AIza|AKIA|ASIA|ya29\.|eyJ)[A-Za-z0-9._-]{8,}/g,
  /\barn:[^\s"'<>]+/gi,
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

/** Words that are ids only if they hold a digit: `file_search` is a tool, `file-8s7d6f` is an id. */
const IF_DIGIT: readonly RegExp[] = [
  new RegExp(`\\b(?:${ID_PREFIXES})[-_][A-Za-z0-9]{5,}`, "gi"),
  /\b[A-Za-z0-9+]{20,}={0,2}/g,
];

export function sanitise(message: string, secrets: readonly string[]): string {
  // The longest first: a secret may be the beginning of another.
  const hidden = secrets
    .filter(({ length }) => length >= MIN_SECRET_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
  let text = readBeginning(message, hidden);
  for (const secret of hidden) text = text.replaceAll(secret, HIDDEN);
  for (const pattern of ALWAYS) text = text.replace(pattern, HIDDEN);
  for (const pattern of IF_DIGIT) text = text.replace(pattern, (word) => (/\d/.test(word) ? HIDDEN : word));
  return shortened(text.replace(/[\s\p{C}\u2028\u2029]+/gu, " ").trim());
}

/** What of a secret stands before the cut could not be told from other words any more, so it is cut off as well. */
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
