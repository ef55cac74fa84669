/** Exact arithmetic: 0.1 + 0.2 is 0.3, and a product of long numbers keeps its last digit. */
export type Rational = {
  readonly numerator: bigint;
  /** Always positive. */
  readonly denominator: bigint;
};

/** Larger numbers are not computed; this bounds every operation. */
const MAX_BITS = 1024;
const MAX_EXPONENT = 1000n;
const FRACTION_DIGITS = 10;

function bitsOf(value: bigint): number {
  return value.toString(16).length * 4;
}

function reduced(numerator: bigint, denominator: bigint): Rational | undefined {
  if (denominator === 0n) return undefined;
  if (bitsOf(numerator) > MAX_BITS || bitsOf(denominator) > MAX_BITS) return undefined;
  let [divisor, rest] = [numerator < 0n ? -numerator : numerator, denominator];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  const size = divisor < 0n ? -divisor : divisor;
  const sign = denominator < 0n ? -1n : 1n;
  return { numerator: (sign * numerator) / size, denominator: (sign * denominator) / size };
}

/** `digits` is a plain decimal such as `12`, `0.5` or `1234.75`. */
export function rationalOf(digits: string): Rational | undefined {
  const [whole = "", fraction = ""] = digits.split(".");
  return reduced(BigInt(`${whole}${fraction}` || "0"), 10n ** BigInt(fraction.length));
}

export function add(a: Rational, b: Rational): Rational | undefined {
  return reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function multiply(a: Rational, b: Rational): Rational | undefined {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function divide(a: Rational, b: Rational): Rational | undefined {
  return reduced(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** The remainder has the sign of `a`, as in most programming languages. */
export function remainder(a: Rational, b: Rational): Rational | undefined {
  if (b.numerator === 0n) return undefined;
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator];
  return reduced(left % right, a.denominator * b.denominator);
}

/** Whole exponents only; undefined if the result would be too large or irrational. */
export function power(base: Rational, exponent: Rational): Rational | undefined {
  if (exponent.denominator !== 1n) return undefined;
  const times = exponent.numerator < 0n ? -exponent.numerator : exponent.numerator;
  if (times > MAX_EXPONENT) return undefined;
  const bits = Math.max(bitsOf(base.numerator), bitsOf(base.denominator));
  if (bits * Number(times) > MAX_BITS) return undefined;
  const [numerator, denominator] = [base.numerator ** times, base.denominator ** times];
  return exponent.numerator < 0n ? reduced(denominator, numerator) : reduced(numerator, denominator);
}

/** Exact if ten decimals are enough; otherwise rounded, with `exact` false. */
export function formatRational(value: Rational): { text: string; exact: boolean } {
  const scale = 10n ** BigInt(FRACTION_DIGITS);
  const size = value.numerator < 0n ? -value.numerator : value.numerator;
  const scaled = (size * scale * 2n + value.denominator) / (value.denominator * 2n);
  const digits = scaled.toString().padStart(FRACTION_DIGITS + 1, "0");
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, "");
  const sign = value.numerator < 0n && scaled !== 0n ? "-" : "";
  const text = sign + digits.slice(0, -FRACTION_DIGITS) + (fraction === "" ? "" : `.${fraction}`);
  return { text, exact: scaled * value.denominator === size * scale };
}
