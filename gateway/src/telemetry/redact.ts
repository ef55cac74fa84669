/** Longest string written for a field; the rest is cut off and its length noted. */
const MAX_STRING_CHARS = 2_000;
/** Objects and lists in a field are cut beyond this depth and width. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 50;

const HIDDEN = "[redacted]";
const SECRET_NAME = /authorization|cookie|password|secret|api_?key$|^key$|(^|[_a-z])token$/i;
/** Credentials in free text: our own keys of any prefix, provider keys, and anything after Bearer. */
const CREDENTIAL =
  /\bBearer\s+\S+|\b[A-Za-z][A-Za-z0-9]{0,20}_(?:live|test|mgmt)_[0-9A-Za-z]{8,}|\bsk-[0-9A-Za-z_-]{8,}/gi;
const URL_PASSWORD = /(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}@/g;
/** Characters that JSON does not escape, but that a terminal or a line splitter would act on. */
const BARE_CONTROL = /[\u007f-\u009f\u2028\u2029]/g;

type Redactor = (value: unknown, name: string, depth?: number) => unknown;

/** Makes a copy that is safe to write. `keyPrefix` is the configured prefix of our own keys. */
export function createRedactor(keyPrefix: string): Redactor {
  const prefix = keyPrefix.replace(/[^0-9A-Za-z]/g, "\\$&");
  const ownKeys = new RegExp(`${prefix}[^\\s"',;]*`, "g");
  // A quick check that spares most strings the three searches below.
  const suspicious = new RegExp(`${prefix}|bearer|_live_|_test_|_mgmt_|sk-|://`, "i");

  function text(value: string): string {
    const cut =
      value.length > MAX_STRING_CHARS
        ? `${value.slice(0, MAX_STRING_CHARS)}… (${value.length} characters)`
        : value;
    if (!suspicious.test(cut)) return cut;
    return cut.replace(ownKeys, HIDDEN).replace(CREDENTIAL, HIDDEN).replace(URL_PASSWORD, `$1${HIDDEN}@`);
  }

  function redact(value: unknown, name: string, depth = 0): unknown {
    switch (typeof value) {
      case "string":
        return SECRET_NAME.test(name) ? HIDDEN : text(value);
      case "number":
      case "boolean":
      case "undefined":
        return value;
      case "bigint":
        return value.toString();
      case "object":
        return value === null ? null : object(value, name, depth);
      default:
        return `[${typeof value}]`;
    }
  }

  function object(value: object, name: string, depth: number): unknown {
    if (SECRET_NAME.test(name)) return HIDDEN;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (depth >= MAX_DEPTH) return "[deeper]";
    if (value instanceof Error) return error(value, depth);
    if (Array.isArray(value)) {
      return value.slice(0, MAX_ENTRIES).map((item) => redact(item, name, depth + 1));
    }
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value).slice(0, MAX_ENTRIES)) {
      copy[text(key)] = redact(item, key, depth + 1);
    }
    return copy;
  }

  function error(value: Error, depth: number): unknown {
    const code = (value as { code?: unknown }).code;
    const internal = (value as { options?: { internal?: unknown } }).options?.internal;
    return {
      name: text(String(value.name)),
      message: text(String(value.message)),
      code: typeof code === "string" || typeof code === "number" ? redact(code, "code") : undefined,
      internal: typeof internal === "string" ? text(internal) : undefined,
      stack: typeof value.stack === "string" ? text(value.stack) : undefined,
      cause: value.cause === undefined ? undefined : redact(value.cause, "cause", depth + 1),
    };
  }

  return redact;
}

/** JSON escapes line breaks itself; this handles the separators and C1 controls that it lets through. */
export function escapeControls(line: string): string {
  return line.replace(BARE_CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
