const ESCAPE = 27;
const BELL = 7;
const BACKSLASH = 92;

/** Plain parameters; those with a prefix or intermediate sign are settings. */
export const PARAMETERS = /^[\d;:]*$/;

/** The offset after the sequence that starts here; `start` if it is none or incomplete. */
export function endOfSequence(text: string, start: number): number {
  const kind = text.charCodeAt(start + 1);
  if (kind === 91) return endOfParameters(text, start);
  // Strings for the terminal: titles and links (]), device strings (P), privacy (^), commands (_) and names (X).
  if (kind === 93 || kind === 80 || kind === 94 || kind === 95 || kind === 88)
    return endOfCommand(text, start);
  // The selection of a character set has one more character.
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
    if (code === ESCAPE) return text.charCodeAt(at + 1) === BACKSLASH ? at + 2 : start;
    if (code === 10) return start;
  }
  return start;
}

export function isColour(text: string, start: number, end: number): boolean {
  return text.charAt(end - 1) === "m" && text.charAt(start + 1) === "[";
}
