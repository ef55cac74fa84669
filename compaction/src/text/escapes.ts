/** The quotes of single-line string literals, in which line breaks and the like are escaped. */
export type QuoteSign = "'" | '"';

export const QUOTE_SIGNS: readonly QuoteSign[] = ["'", '"'];

/** Unescapes one line of a quoted text. Numeric character escapes stay as they are. */
export function unescapeLine(line: string): string {
  if (!line.includes("\\")) return line;
  let written = "";
  let copied = 0;
  for (let at = line.indexOf("\\"); at >= 0 && at + 1 < line.length; at = line.indexOf("\\", at + 2)) {
    const sign = line.charAt(at + 1);
    if (sign === "t") written += `${line.slice(copied, at)}\t`;
    else if (sign === "\\" || sign === "'" || sign === '"') written += line.slice(copied, at) + sign;
    else continue;
    copied = at + 2;
  }
  return written + line.slice(copied);
}

/** Escapes a text of several lines for use between quotes. */
export function escapeLines(text: string, quote: QuoteSign): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll(quote, `\\${quote}`);
}
