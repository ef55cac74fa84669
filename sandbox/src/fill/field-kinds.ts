import { setOf } from "./identifier.ts";

export const PHONE = /\+\d[\d ().-]{6,18}\d|(?<![\w-])\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?![\w-])/g;
const COLOUR =
  /#(?:[\da-f]{3}){1,2}\b|\b(?:beige|black|blue|brown|cyan|gold|gr[ae]y|green|indigo|magenta|maroon|navy|orange|pink|purple|red|silver|teal|turquoise|violet|white|yellow)\b/i;
const CURRENCY = /\b(?:AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|INR|JPY|MXN|NOK|NZD|PLN|SEK|USD)\b|[$€£¥]/;
const CURRENCIES: Readonly<Record<string, string>> = { $: "USD", "€": "EUR", "£": "GBP", "¥": "JPY" };
const NOTHING = /(?!)/;

/** Fields with a distinctive value, by the words of their names: an unrelated name must not fill them. */
const KINDS: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ["phone telephone mobile fax", new RegExp(PHONE, "")],
      ["color colour", COLOUR],
      ["currency", CURRENCY],
      [
        "linkedin github website homepage",
        /\b(?:https?:\/\/|www\.|linkedin\.com|github\.com)[^\s"'<>]{1,300}[\w/]/i,
      ],
      // The sandbox cannot make these up, and a prompt that gives them puts them in quotes.
      ["translation reason explanation unit", NOTHING],
    ] as const
  ).flatMap(([names, shape]) => names.split(" ").map((name) => [name, shape] as const)),
);

/** The shape of a field's values; undefined if they can be anything. */
export function kindOf(words: readonly string[]): RegExp | undefined {
  return words.map((word) => KINDS.get(word)).find((shape) => shape !== undefined);
}

/** As it is written in data. */
export function valueOfKind(found: string): string {
  return CURRENCIES[found] ?? found;
}

export const DAY_NAMES = setOf("date day deadline");
export const PLACE_NAMES = setOf("city location place country town region address where");

/** A field for a year, not for something per year. */
export function isYearName(words: readonly string[]): boolean {
  return words.at(-1) === "year" && !words.includes("per");
}

export function isYear(value: number): boolean {
  return value >= 1000 && value <= 2999;
}
