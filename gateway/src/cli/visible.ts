/**
 * Characters that control a terminal or are invisible on it: escape sequences, and marks that reverse text direction.
 */
const ACTING = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Line breaks and tabs, and what joins the parts of an emoji. */
const HARMLESS: ReadonlySet<string> = new Set(["\n", "\t", "\u200c", "\u200d"]);
/** What follows the escape character in our own colours; in foreign text it could change a colour and nothing else. */
const COLOR = /^\[(?:[012]|3[1-3])m/;

/** Makes foreign text (a server's reply, a key in a file, the name of a folder) safe for a terminal and for JSON. */
export function visible(text: string, { colors }: { readonly colors: boolean }): string {
  return text.replace(ACTING, (found, at: number) => {
    const isColor = colors && found === "\u001b" && COLOR.test(text.slice(at + 1, at + 5));
    return isColor || HARMLESS.has(found) ? found : writtenOut(found);
  });
}

/** As JSON escapes, of one UTF-16 unit each. */
function writtenOut(found: string): string {
  const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
