/** Longer words stream in pieces, so that an output limit can fall inside them. */
const MAX_PIECE_CHARACTERS = 24;

/** Only an echo of megabytes can exceed this; what cannot be sent anyway is not even split into words. */
export const MAX_CHARACTERS_PER_TOKEN = 32;

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Pieces that join to the text again. White space goes with the word after it; surrogate pairs stay together. */
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

/** The beginning of the text, without half a surrogate pair at its end. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return text.slice(
    0,
    isHighSurrogate(text.charCodeAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters,
  );
}

/** The text, or its beginning with an ellipsis. */
export function shortened(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${clip(text, maxCharacters)}…` : text;
}

/** Whether the piece begins a word as a reader counts them; a long word counts once, however many pieces it has. */
export function beginsWord(piece: string, first: boolean): boolean {
  return first || isSpace(piece.charCodeAt(0));
}

/**
 * How many pieces fit. The estimate never falls as text is added and grows almost linearly, so interpolation lands
 * close; every second probe bisects instead, which bounds their number for any text.
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
