/** The quotes in which languages write a text on one line, with escapes for what cannot stand there. */
export type QuoteSign = "'" | '"';

export const QUOTE_SIGNS: readonly QuoteSign[] = ["'", '"'];

/** What one line of a quoted text means. Escapes that name a character by its number stay as they are. */
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

/** How a text of several lines is written between quotes. */
export function escapeLines(text: string, quote: QuoteSign): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll(quote, `\\${quote}`);
}
