import { cardinalWords, decimalWords, withoutCommas } from "./number-words.ts";

type Currency = readonly [one: string, many: string, cent: string, cents: string];

const CURRENCIES: ReadonlyMap<string, Currency> = new Map(
  (
    [
      ["$ US$ USD", ["dollar", "dollars", "cent", "cents"]],
      ["€ EUR", ["euro", "euros", "cent", "cents"]],
      ["£ GBP", ["pound", "pounds", "penny", "pence"]],
      ["¥ JPY", ["yen", "yen", "sen", "sen"]],
      ["₹", ["rupee", "rupees", "paisa", "paise"]],
      ["₽", ["rouble", "roubles", "kopeck", "kopecks"]],
      ["₩", ["won", "won", "jeon", "jeon"]],
      ["CHF", ["franc", "francs", "centime", "centimes"]],
      ["₿", ["bitcoin", "bitcoins", "", ""]],
    ] as const
  ).flatMap(([signs, names]) => signs.split(" ").map((sign) => [sign, names] as const)),
);

const SIGNS = "US\\$|USD|EUR|GBP|JPY|CHF|[$€£¥₹₽₩₿]";
const AMOUNT = "(\\d{1,3}(?:,\\d{3}){1,6}|\\d+)(?:\\.(\\d{1,4}))?";
const SCALE: ReadonlyMap<string, string> = new Map([
  ["k", "thousand"],
  ["m", "million"],
  ["bn", "billion"],
  ["b", "billion"],
]);

/** The currency sign may precede or follow the amount. */
export function sayMoney(text: string): string {
  return text
    .replace(
      new RegExp(`(${SIGNS}) ?${AMOUNT}(?: ?(thousand|million|billion|trillion|bn|[kmb])(?![\\w]))?`, "gi"),
      (all, sign, whole, fraction, scale) => words(sign, { whole, fraction, scale }) ?? all,
    )
    .replace(new RegExp(`\\b${AMOUNT} ?(${SIGNS})(?!\\w)`, "g"), (all, whole, fraction, sign) => {
      return words(sign, { whole, fraction, scale: undefined }) ?? all;
    })
    .replace(/\b(\d+) ?¢/g, (_all, cents) => `${cardinalWords(cents)} ${cents === "1" ? "cent" : "cents"}`);
}

function words(
  sign: string,
  amount: { whole: string; fraction: string | undefined; scale: string | undefined },
): string | undefined {
  const currency = CURRENCIES.get(sign.toUpperCase());
  if (currency === undefined) return undefined;
  const [one, many, cent, cents] = currency;
  const whole = withoutCommas(amount.whole);
  const { fraction, scale } = amount;
  if (scale !== undefined) {
    const number = fraction === undefined ? cardinalWords(whole) : decimalWords(whole, fraction);
    return `${number} ${SCALE.get(scale.toLowerCase()) ?? scale} ${many}`;
  }
  if (fraction !== undefined && (fraction.length > 2 || cent === "")) {
    return `${decimalWords(whole, fraction)} ${many}`;
  }
  const units = `${cardinalWords(whole)} ${Number(whole) === 1 ? one : many}`;
  const small = Number((fraction ?? "").padEnd(2, "0"));
  if (small === 0) return units;
  const coins = `${cardinalWords(String(small))} ${small === 1 ? cent : cents}`;
  return Number(whole) === 0 ? coins : `${units} and ${coins}`;
}
