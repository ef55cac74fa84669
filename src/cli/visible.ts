/** What steers a terminal or is not seen on it: escape sequences, and letters that turn the order of others round. */
const ACTING = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Line breaks and columns, and what joins the parts of an emoji. */
const HARMLESS: ReadonlySet<string> = new Set(["\n", "\t", "\u200c", "\u200d"]);
/** What follows the escape of our own colours; in foreign words it would change a colour and nothing else. */
const COLOR = /^\[(?:[012]|3[1-3])m/;

/** Others' words (a server's answer, a file's key, a folder's name) as they may stand on a terminal, and in JSON. */
export function visible(text: string, { colors }: { readonly colors: boolean }): string {
  return text.replace(ACTING, (found, at: number) => {
    const isColor = colors && found === "\u001b" && COLOR.test(text.slice(at + 1, at + 5));
    return isColor || HARMLESS.has(found) ? found : writtenOut(found);
  });
}

/** In the escapes of JSON, which has no longer ones. */
function writtenOut(found: string): string {
  const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
