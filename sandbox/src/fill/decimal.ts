/** Numbers as decimals: 0.1 is exactly one tenth, not the nearest binary fraction. */
type Decimal = { readonly units: bigint; readonly places: number };

export function decimalOf(value: number): Decimal {
  const [digits = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = digits.split(".");
  return { units: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

export function numberFrom({ units, places }: Decimal): number {
  return Number(`${units}e${-places}`);
}

/** `places` must not be smaller than the decimal's: that would lose digits. */
export function unitsAt(decimal: Decimal, places: number): bigint {
  return decimal.units * 10n ** BigInt(places - decimal.places);
}

/** Numbers further apart are calculated as doubles: their decimals would have hundreds of digits. */
const MAX_APART = 100;

export function areFarApart(values: readonly number[]): boolean {
  const places = values
    .filter((value) => Number.isFinite(value) && value !== 0)
    .map((each) => decimalOf(each).places);
  return Math.max(...places) - Math.min(...places) > MAX_APART;
}

export function isMultipleOf(value: number, step: number): boolean {
  if (areFarApart([value, step])) return Number.isInteger(value / step);
  const [whole, part] = [decimalOf(value), decimalOf(step)];
  const places = Math.max(whole.places, part.places);
  return unitsAt(whole, places) % unitsAt(part, places) === 0n;
}

export function leastCommonMultiple(one: number, other: number): number {
  if (areFarApart([one, other])) return Math.max(Math.abs(one), Math.abs(other));
  const [a, b] = [decimalOf(Math.abs(one)), decimalOf(Math.abs(other))];
  const places = Math.max(a.places, b.places);
  const [x, y] = [unitsAt(a, places), unitsAt(b, places)];
  return numberFrom({ units: (x / greatestCommonDivisor(x, y)) * y, places });
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** Rounds up; `divideDown` rounds down. BigInt itself rounds towards zero. */
export function divideUp(value: bigint, by: bigint): bigint {
  return -divideDown(-value, by);
}

export function divideDown(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by !== 0n && value < 0n ? quotient - 1n : quotient;
}
