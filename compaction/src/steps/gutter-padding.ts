const SPACE = 32;

/**
 * The spaces that right-align gutter numbers cost a token or two per line and mean nothing. Inverse: none needed,
 * dropping them is a declared normalisation. Bound: the padding itself. Returns its end.
 */
export function endOfPadding(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}
