const SPACE = 32;

/**
 * The spaces that right-align the numbers of a gutter cost a token or two in every line and say nothing. Inverse:
 * none needed, the padding is a declared normalisation. Bound: the padding itself. Answers where it ends.
 */
export function endOfPadding(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}
