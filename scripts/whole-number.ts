export type WholeRange = { readonly least?: number; readonly most?: number };

/** A number that a user typed. NaN would run zero cases, and a proof of nothing always holds. */
export function wholeNumber(name: string, text: string, { least = 1, most }: WholeRange = {}): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least && number <= (most ?? number)) return number;
  const end = most === undefined ? "on" : `to ${most}`;
  throw new Error(`${name} takes a whole number from ${least} ${end}, not "${text}"`);
}
