const THOUSANDS = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/** `1250`, `1,250` and `$1,250`; undefined if it is not a number. */
export function numberIn(written: string): number | undefined {
  const digits = written.replace(/^[$€£]/, "");
  const value = Number(THOUSANDS.test(digits) ? digits.replaceAll(",", "") : digits);
  return digits.trim() !== "" && Number.isFinite(value) ? value : undefined;
}
