const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
/** Starting with twenty. */
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const SCALES = ["", "thousand", "million", "billion", "trillion"];
/** Longer numbers are not amounts and are read digit by digit. */
const MAX_DIGITS = 15;

const IRREGULAR_ORDINALS: ReadonlyMap<string, string> = new Map([
  ["one", "first"],
  ["two", "second"],
  ["three", "third"],
  ["five", "fifth"],
  ["eight", "eighth"],
  ["nine", "ninth"],
  ["twelve", "twelfth"],
]);

/** Digits only. A number with a leading zero is not an amount either, except zero itself. */
export function cardinalWords(digits: string): string {
  if (digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith("0"))) return digitWords(digits);
  const value = Number(digits);
  if (value === 0) return "zero";
  const groups: string[] = [];
  for (let rest = value, scale = 0; rest > 0; rest = Math.floor(rest / 1000), scale++) {
    const group = rest % 1000;
    if (group > 0) groups.unshift(`${belowThousand(group)} ${SCALES[scale] ?? ""}`.trimEnd());
  }
  return groups.join(" ");
}

function belowThousand(value: number): string {
  const hundreds = value >= 100 ? `${SMALL[Math.floor(value / 100)]} hundred` : "";
  const rest = value % 100;
  return [hundreds, rest > 0 ? belowHundred(rest) : ""].filter((part) => part !== "").join(" ");
}

function belowHundred(value: number): string {
  if (value < 20) return SMALL[value] ?? "";
  const ones = value % 10;
  return `${TENS[Math.floor(value / 10) - 2]}${ones > 0 ? ` ${SMALL[ones]}` : ""}`;
}

function digitWords(digits: string): string {
  return [...digits].map((digit) => SMALL[Number(digit)] ?? "").join(" ");
}

/** `fraction` is read digit by digit, as people do. */
export function decimalWords(whole: string, fraction: string): string {
  return `${cardinalWords(whole)} point ${digitWords(fraction)}`;
}

export function ordinalWords(digits: string): string {
  const words = cardinalWords(digits).split(" ");
  const last = words.pop() ?? "";
  return [...words, ordinalOf(last)].join(" ");
}

function ordinalOf(word: string): string {
  const irregular = IRREGULAR_ORDINALS.get(word);
  if (irregular !== undefined) return irregular;
  return word.endsWith("y") ? `${word.slice(0, -1)}ieth` : `${word}th`;
}
