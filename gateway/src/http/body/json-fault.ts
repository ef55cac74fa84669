/** The runtime's parser reports what is wrong but not where. Longer texts are not read again to find out. */
const MAX_READ_CHARS = 256 * 1024;

const BLANKS = /[ \t\n\r]*/y;
/**
 * One JSON token. A string is matched without its closing quote: an unterminated one is then read only once, and the
 * match ends where it breaks off.
 */
const TOKEN =
  /[{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const HALF_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const MAX_HALF_ESCAPE_CHARS = 5;

type Awaited = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/** Offset at which a text stops being JSON; its length if it ends too early; null if valid or too long to check. */
export function findJsonFault(text: string): number | null {
  if (text.length > MAX_READ_CHARS) return null;
  const open: string[] = [];
  let awaited: Awaited | "nothing" = "value";
  for (let at = 0; ; ) {
    BLANKS.lastIndex = at;
    BLANKS.test(text);
    at = BLANKS.lastIndex;
    if (at === text.length) return awaited === "nothing" ? null : at;
    TOKEN.lastIndex = at;
    const [token = ""] = TOKEN.exec(text) ?? [];
    const next: Awaited | "nothing" | null = token === "" ? null : after(token, awaited, open);
    if (next === null) return at;
    awaited = next;
    at += token.length;
    if (token.startsWith('"')) {
      if (text[at] !== '"') return isCutOff(text, at) ? text.length : at;
      at++;
    }
  }
}

/** True if the string read so far is valid but incomplete, because the text ends. */
function isCutOff(text: string, at: number): boolean {
  return at === text.length || HALF_ESCAPE.test(text.slice(at, at + MAX_HALF_ESCAPE_CHARS + 1));
}

function after(token: string, awaited: Awaited | "nothing", open: string[]): Awaited | "nothing" | null {
  const mayEnd = awaited === "comma or end" || awaited === "value or end" || awaited === "key or end";
  if (token === "}" || token === "]") {
    if (!mayEnd || open.pop() !== (token === "}" ? "{" : "[")) return null;
    return open.length === 0 ? "nothing" : "comma or end";
  }
  if (token === ",") {
    if (awaited !== "comma or end") return null;
    return open.at(-1) === "{" ? "key" : "value";
  }
  if (token === ":") return awaited === "colon" ? "value" : null;
  if (awaited === "key" || awaited === "key or end") return token.startsWith('"') ? "colon" : null;
  if (awaited !== "value" && awaited !== "value or end") return null;
  if (token === "{" || token === "[") {
    open.push(token);
    return token === "{" ? "key or end" : "value or end";
  }
  return open.length === 0 ? "nothing" : "comma or end";
}

/** A structural character, or a string with the colon that makes it a key. */
const PIECE = /[{}[\],]|("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?/g;

/** The place of the first key that its object already has, in valid JSON; null if there is none or it is too long. */
export function findRepeatedKey(text: string): readonly (string | number)[] | null {
  if (text.length > MAX_READ_CHARS) return null;
  const open: { readonly keys: Set<string> | null; at: string | number }[] = [];
  for (const [piece, string = "", colon] of text.matchAll(PIECE)) {
    const level = open.at(-1);
    if (piece === "{") open.push({ keys: new Set(), at: "" });
    else if (piece === "[") open.push({ keys: null, at: 0 });
    else if (piece === "}" || piece === "]") open.pop();
    else if (piece === "," && typeof level?.at === "number") level.at++;
    else if (colon !== undefined && level?.keys) {
      level.at = JSON.parse(string) as string;
      if (level.keys.has(level.at)) return open.map(({ at }) => at);
      level.keys.add(level.at);
    }
  }
  return null;
}
