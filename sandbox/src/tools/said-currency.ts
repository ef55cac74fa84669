/** "250 euros to Swiss francs": currencies by name, sign and code. */

import { directionOf } from "../fill/directions.ts";
import type { Reader } from "./argument.ts";

/** Longer names first, so that a Canadian dollar is not read as another one. */
const WORDS: readonly (readonly [code: string, words: string])[] = [
  ["AUD", "australian dollars?"],
  ["CAD", "canadian dollars?"],
  ["HKD", "hong kong dollars?"],
  ["NZD", "new zealand dollars?"],
  ["SGD", "singapore dollars?"],
  ["USD", "(?:us |american )?dollars?|bucks|\\$"],
  ["EUR", "euros?|€"],
  ["GBP", "(?:british )?pounds?(?: sterling)?|£"],
  ["CHF", "(?:swiss )?francs?"],
  ["JPY", "(?:japanese )?yen|¥"],
  ["CNY", "(?:chinese )?yuan|renminbi"],
  ["INR", "(?:indian )?rupees?"],
  ["KRW", "(?:south )?korean won"],
  ["SEK", "swedish kron(?:a|or)"],
  ["NOK", "norwegian kron(?:e|er)"],
  ["DKK", "danish kron(?:e|er)"],
  ["PLN", "(?:polish )?z[lł]oty(?:s|ch)?"],
  ["BRL", "brazilian rea(?:l|is)"],
  ["MXN", "mexican pesos?"],
  ["TRY", "turkish liras?"],
];
const CODES: ReadonlySet<string> = new Set(WORDS.map(([code]) => code));
const SAID = new RegExp(
  `(?<![\\p{L}\\d])(?:${WORDS.map(([code, words]) => `${words}|${code}`).join("|")})(?![\\p{L}])`,
  "giu",
);
/** Codes are accepted in lower case, except the one that is an English word. */
const NO_CODE = /^try$/i;
const READERS = WORDS.map(([code, words]) => [code, new RegExp(`^(?:${words}|${code})$`, "iu")] as const);
/** Before the target currency. */
const INTO: ReadonlySet<string> = new Set(["to", "into", "in", "as"]);

export const saidCurrency: Reader = ({ words, schema }, { deed: { objects }, look }) => {
  const options = Array.isArray(schema["enum"])
    ? schema["enum"].filter((each) => typeof each === "string")
    : undefined;
  const isStated = options?.some((option) => CODES.has(option.toUpperCase())) === true;
  const direction = directionOf(words);
  const isNamed = words.includes("currency") || (objects.includes("currency") && direction !== "none");
  if (options === undefined ? !isNamed || schema["type"] !== "string" : !isStated) return undefined;
  const said = look.all(SAID).filter(({ value }) => value === "TRY" || !NO_CODE.test(value));
  const found =
    direction === "none" ? said[0] : said.find(({ before }) => INTO.has(before) === (direction === "to"));
  const code = READERS.find(([, shape]) => shape.test(found?.value ?? ""))?.[0];
  const value = options === undefined ? code : options.find((option) => option.toUpperCase() === code);
  return value === undefined ? undefined : [value];
};
