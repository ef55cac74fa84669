/** A word longer than this streams in pieces, so that an output limit can fall inside it. */
const MAX_PIECE_CHARACTERS = 24;

/** Only an echo of megabytes can be longer; it is not even split into words beyond what may be sent. */
export const MAX_CHARACTERS_PER_TOKEN = 32;

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Pieces that join to the text again. White space goes with the word after it; no character is torn apart. */
export function splitWords(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let wordStart = 0;
  for (let at = 0; at < text.length; at++) {
    const space = isSpace(text.charCodeAt(at));
    const isBreak = space && at > start && !isSpace(text.charCodeAt(at - 1));
    const isFull = at - wordStart >= MAX_PIECE_CHARACTERS && !isHighSurrogate(text.charCodeAt(at - 1));
    if (isBreak || isFull) {
      pieces.push(text.slice(start, at));
      start = at;
      wordStart = at;
    }
    if (space) wordStart = at + 1;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

/** The beginning of the text, without half a pair at its end. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return text.slice(
    0,
    isHighSurrogate(text.charCodeAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters,
  );
}

/** The text, or its beginning with a mark that more was there. */
export function shortened(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${clip(text, maxCharacters)}…` : text;
}

/** Words as a reader counts them: pieces that begin one. Long words are one, whatever their pieces. */
export function beginsWord(piece: string, first: boolean): boolean {
  return first || isSpace(piece.charCodeAt(0));
}

/**
 * How many of the pieces fit. An estimate never falls as text is added and grows nearly evenly, so a guess in
 * proportion lands close; every second probe halves instead, which bounds them whatever the text is.
 */
export function piecesWithin(
  pieces: readonly string[],
  maxTokens: number,
  estimateTokens: (text: string) => number,
): number {
  let most = estimateTokens(pieces.join(""));
  if (most <= maxTokens) return pieces.length;
  let least = 0;
  let fits = 0;
  let tooMany = pieces.length;
  for (let probe = 0; tooMany - fits > 1; probe++) {
    const share = probe % 2 === 0 ? (maxTokens - least) / (most - least) : 0.5;
    const at = Math.min(Math.max(fits + Math.round((tooMany - fits) * share), fits + 1), tooMany - 1);
    const tokens = estimateTokens(pieces.slice(0, at).join(""));
    if (tokens <= maxTokens) [fits, least] = [at, tokens];
    else [tooMany, most] = [at, tokens];
  }
  return fits;
}
