/** A number that somebody typed. As NaN it would count nothing, and a proof of nothing holds. */
export function wholeNumber(name: string, text: string, least = 1): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${name} takes a whole number from ${least} on, not "${text}"`);
}
