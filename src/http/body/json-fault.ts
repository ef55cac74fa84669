/** The runtime's parser says what it did not like, not where. Longer texts are not read again for that. */
const MAX_READ_CHARS = 256 * 1024;

const BLANKS = /[ \t\n\r]*/y;
/** One value or sign of JSON, a string without its end: one that has none is read once, and tells where it breaks off. */
const TOKEN =
  /[{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const HALF_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const MAX_HALF_ESCAPE_CHARS = 5;

type Awaited = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/** Where a text stops being JSON, as an offset; its length where more is missing; null where nobody looked, or it is JSON. */
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

/** Whether nothing is wrong with what stands there, within a string, but that it ends. */
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
