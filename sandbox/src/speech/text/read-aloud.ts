import { cardinalWords, decimalWords, ordinalWords } from "./number-words.ts";
import { type SpokenSentence, splitSentences } from "./sentences.ts";

const NOTHING_TO_READ = "There is nothing here that I can read aloud.";

/** Their dots end no sentence. */
const SHORT: Readonly<Record<string, string>> = {
  "Mr.": "mister",
  "Mrs.": "missus",
  "Ms.": "miz",
  "Dr.": "doctor",
  "St.": "saint",
  "No.": "number",
  "vs.": "versus",
  "etc.": "et cetera",
  "e.g.": "for example",
  "i.e.": "that is",
};
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/&/g, " and "],
  [/%/g, " percent "],
  [/\+/g, " plus "],
  [/=/g, " equals "],
  [/@/g, " at "],
  [/°/g, " degrees "],
  [/ ?[–—] ?| - /g, ", "],
];
const CURRENCIES: Readonly<Record<string, string>> = { $: "dollar", "€": "euro", "£": "pound" };
const AMOUNT = "(\\d{1,3}(?:,\\d{3}){1,4}|\\d{1,15})(?:\\.(\\d{1,6}))?";
const MONEY = new RegExp(`([$€£])${AMOUNT}`, "g");
const NUMBER = new RegExp(AMOUNT, "g");

/** A text as it is spoken, in plain English letters, sentence by sentence; never empty. */
export function readAloud(text: string): SpokenSentence[] {
  const sentences = splitSentences(saidText(text));
  return sentences.length > 0 ? sentences : splitSentences(NOTHING_TO_READ);
}

/** Other alphabets are silent. */
export function saidText(text: string): string {
  const plain = text
    .replace(/https?:\/\//g, "")
    // List items end like sentences, and headings are paragraphs.
    .replace(/^[ \t]{0,8}(?:[-*•]|\d{1,3}[.)]) +(.*[^.!?:;,\s])[ \t]*$/gm, "$1.")
    .replace(/^#{1,6} +(.*)$/gm, "$1\n")
    .replace(/\b(?:Mrs?|Ms|Dr|St|No|vs|etc|e\.g|i\.e)\./g, (short) => SHORT[short] ?? short)
    .normalize("NFKD")
    .replace(/[\p{M}\u200b-\u200f]/gu, "")
    .replaceAll("ß", "ss")
    .replace(/[’‘]/g, "'");
  return SIGNS.reduce((said, [sign, words]) => said.replace(sign, words), sayNumbers(plain))
    .replace(/[^A-Za-z' ,.;:?!\n-]+/g, " ")
    .replace(/(?<![A-Za-z])['-]+|['-]+(?![A-Za-z])/g, " ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ (?=[,.;:?!])/g, "")
    .replace(/[,;:](?:\s*[,;:])+/g, ",")
    .replace(/([.?!])[.,;:]+/g, "$1")
    .replace(/,(?=[.?!])/g, "")
    .replace(/ ?\n ?/g, "\n")
    .replace(/^[\s,;:.]+/, "")
    .trim();
}

function sayNumbers(text: string): string {
  return text
    .replace(MONEY, (_all, sign: string, whole: string, cents: string | undefined) => {
      const units = `${cardinalWords(whole.replaceAll(",", ""))} ${CURRENCIES[sign]}${whole === "1" ? "" : "s"}`;
      return cents === undefined ? `${units} ` : `${units} ${cardinalWords(cents)} `;
    })
    .replace(/\b(\d{1,4})(?:st|nd|rd|th)\b/g, (_all, digits: string) => `${ordinalWords(digits)} `)
    .replace(/\b(\d{1,2}):(\d\d)\b/g, (_all, hours: string, minutes: string) =>
      minutes === "00"
        ? `${cardinalWords(hours)} o'clock `
        : `${cardinalWords(hours)} ${cardinalWords(minutes)} `,
    )
    .replace(NUMBER, (_all, digits: string, fraction: string | undefined) => {
      const whole = digits.replaceAll(",", "");
      return ` ${fraction === undefined ? cardinalWords(whole) : decimalWords(whole, fraction)} `;
    });
}
