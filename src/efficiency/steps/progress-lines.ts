import { createTextWriter } from "../text-writer.ts";

/**
 * Drops what a program has overwritten on its line: of a progress bar only the last state is left, as on a screen.
 * Only where the last state hides the others, because it is at least as long as they are; breaks of lines (CR LF)
 * stay. Inverse: none needed, this is a declared normalisation of terminal output. Bound: one pass.
 */
export function stripProgress(text: string): string {
  let at = text.indexOf("\r");
  if (at < 0) return text;
  const writer = createTextWriter(text);
  while (at >= 0) {
    const line = text.lastIndexOf("\n", at) + 1;
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    const shown = lastState(text, line, end);
    if (shown > line) writer.replace(line, shown, "");
    at = text.indexOf("\r", end);
  }
  return writer.finish();
}

/** Where the state begins that is left on the screen; the start of the line where it does not hide the others. */
function lastState(text: string, line: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > line && text.charCodeAt(end - 1) === 13) end--;
  const start = text.lastIndexOf("\r", end - 1) + 1;
  if (start <= line) return line;
  let longest = 0;
  for (let at = line; at < start; ) {
    const next = text.indexOf("\r", at);
    longest = Math.max(longest, next - at);
    at = next + 1;
  }
  return longest <= end - start ? start : line;
}
