import {
  cardinalWords,
  decimalWords,
  digitWords,
  ordinalWords,
  withoutCommas,
  yearWords,
} from "./number-words.ts";

const FRACTION_NAMES: ReadonlyMap<string, string> = new Map([
  ["2", "half"],
  ["3", "third"],
  ["4", "quarter"],
]);

/** Turns all remaining digits into words. Runs after dates, money and units, which have their own forms. */
export function sayNumbers(text: string): string {
  return text
    .replace(/\b(\d{1,3}(?:,\d{3}){1,6}|\d{1,15})(?:st|nd|rd|th)\b/g, (_all, digits) =>
      ordinalWords(withoutCommas(digits)),
    )
    .replace(/\b[vV](?=\d+\.\d)/g, "version ")
    .replace(/\b\d+(?:\.\d+){2,}\b/g, (version) => version.split(".").map(cardinalWords).join(" point "))
    .replace(
      /\b(\d{1,3}) (\d)\/(\d)\b/g,
      (_all, whole, top, bottom) => `${cardinalWords(whole)} and ${fractionWords(top, bottom)}`,
    )
    .replace(/\b(\d)\/([2-9]|10)\b(?!\/)/g, (_all, top, bottom) => fractionWords(top, bottom))
    .replace(/(\d) ?[-–—] ?(?=\d)/g, "$1 to ")
    .replace(/\b(\d+):(\d+)\b/g, (_all, left, right) => `${cardinalWords(left)} to ${cardinalWords(right)}`)
    .replace(/\b(\d+) ?[x×] ?(?=\d)/g, (_all, left) => `${cardinalWords(left)} by `)
    .replace(/(^|[\s(=<>≤≥~±])[-−](?=\d)/g, "$1minus ")
    .replace(/\b(\d{1,3}(?:,\d{3}){1,6}|\d+)\.(\d+)/g, (_all, whole, fraction) =>
      decimalWords(withoutCommas(whole), fraction),
    )
    .replace(/(^|[^\d])\.(\d+)/g, (_all, before, fraction) => `${before} point ${digitWords(fraction)}`)
    .replace(/\b(\d{1,3}(?:,\d{3})+)\b/g, (_all, digits) => ` ${cardinalWords(withoutCommas(digits))} `)
    .replace(/\b(1[1-9]|20)\d\d\b(?= ?[,.;:?!)]|$| (?:the|was|and|we|he|she|it|they|[a-z]+ed)\b)/g, yearWords)
    .replace(/\d+/g, (digits) => ` ${cardinalWords(digits)} `);
}

function fractionWords(top: string, bottom: string): string {
  const name = FRACTION_NAMES.get(bottom) ?? ordinalWords(bottom);
  if (top === "1") return `one ${name}`;
  return `${cardinalWords(top)} ${name === "half" ? "halves" : `${name}s`}`;
}
