import { createTextWriter } from "../text-writer.ts";

const ESCAPE = 27;
const BELL = 7;

/**
 * Drops the control sequences of terminals (colours, cursor moves, titles): a model sees no colours, and each
 * costs several tokens. Inverse: none needed, they are a declared normalisation. Bound: one pass; a sequence ends
 * where the next one begins, so that unfinished ones are not read twice.
 */
export function stripControlSequences(text: string): string {
  let at = text.indexOf("\x1b");
  if (at < 0) return text;
  const writer = createTextWriter(text);
  while (at >= 0) {
    const end = endOfSequence(text, at);
    if (end > at) writer.replace(at, end, "");
    at = text.indexOf("\x1b", Math.max(end, at + 1));
  }
  return writer.finish();
}

/** Behind the sequence that begins here; its start where it is none or has no end. */
function endOfSequence(text: string, start: number): number {
  const kind = text.charCodeAt(start + 1);
  if (kind === 91) return endOfParameters(text, start);
  // Strings for the terminal: titles and links (]), device strings (P), privacy (^), commands (_) and names (X).
  if (kind === 93 || kind === 80 || kind === 94 || kind === 95 || kind === 88)
    return endOfCommand(text, start);
  // A choice of characters has one more sign behind it.
  if (kind >= 0x20 && kind <= 0x2f) return start + 2 < text.length ? start + 3 : start;
  return kind >= 0x30 && kind <= 0x7e ? start + 2 : start;
}

function endOfParameters(text: string, start: number): number {
  let at = start + 2;
  let code = text.charCodeAt(at);
  while (code >= 0x20 && code <= 0x3f) code = text.charCodeAt(++at);
  return code >= 0x40 && code <= 0x7e ? at + 1 : start;
}

function endOfCommand(text: string, start: number): number {
  for (let at = start + 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BELL) return at + 1;
    if (code === ESCAPE) return text.charCodeAt(at + 1) === 92 ? at + 2 : start;
    if (code === 10) return start;
  }
  return start;
}
