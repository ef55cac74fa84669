import { NUMBER_WORD, numberOfWord } from "./number-word.ts";

const NUMBER = "-?(?:\\d{1,3}(?:,\\d{3}){1,5}(?!,?\\d)|\\d{1,15})(?:\\.\\d{1,15})?%?";
/** "4, 8 and 15". */
const LIST = `${NUMBER}(?:(?:\\s{0,2},(?:\\s{1,2}and)?|\\s{1,2}and)\\s{1,2}${NUMBER}){1,20}`;
/** Something added to "the list", or a number of apples, is not a calculation. */
const DONE = "(?=\\s{0,2}(?:[.?!;:=]|,\\s|$)|\\s{1,2}(?:and then|for me|now|please|then|together|up)\\b)";
/** "Sum the numbers 4, 8 and 15", "add these numbers: 4, 8 and 15". */
const NUMBERS = "(?:(?:(?:the|these) )?(?:following )?numbers:?\\s)?";
/** Words rather than signs: a dash also occurs in dates and ranges. */
const [PLUS, MINUS, TIMES, OVER] = [" plus ", " minus ", " times ", " divided by "];

const OPERATOR = "(?:plus|minus|times|multiplied by|divided by|over|mod|modulo|to the power of|[-+*/×÷^])";
const NUMBER_WORDS = new RegExp(
  `\\b${NUMBER_WORD}(?=\\s{1,2}(?:${OPERATOR}|squared|cubed|percent|thirds|quarters)(?:\\s|[.?!,]|$))|(?<=(?:\\d|${NUMBER_WORD})\\s${OPERATOR}\\s)${NUMBER_WORD}\\b`,
  "gi",
);

type Rewriting = readonly [RegExp, (...found: string[]) => string];

const rule = (source: string, write: (...found: string[]) => string): Rewriting => [
  new RegExp(source, "gi"),
  (_whole, ...found) => write(...found),
];

const REWRITINGS: readonly Rewriting[] = [
  [NUMBER_WORDS, (word) => `${numberOfWord(word) ?? word}`],
  rule("(?<=\\d) dollars\\b", () => ""),
  rule("\\s?\\*\\*\\s?|\\s(?:raised )?to the power of\\s", () => " ^ "),
  rule(`\\badd\\s(${NUMBER}|${LIST})\\sto\\s(${NUMBER})${DONE}`, (list = "", to = "") =>
    joined(`${to}, ${list}`, PLUS),
  ),
  rule(`\\b(?:(?:add|sum)(?: up)?|(?:the )?(?:sum|total) of)\\s${NUMBERS}(${LIST})${DONE}`, (list = "") =>
    joined(list, PLUS),
  ),
  rule(`\\b(?:the )?product of\\s${NUMBERS}(${LIST})${DONE}`, (list = "") => joined(list, TIMES)),
  rule(
    `\\b(?:the )?(?:average|mean) of\\s${NUMBERS}(${LIST})${DONE}`,
    (list = "") => `(${joined(list, PLUS)})${OVER}${numbersIn(list).length}`,
  ),
  rule(
    `\\b(?:subtract|take)\\s(${NUMBER})\\s(?:away )?from\\s(${NUMBER})`,
    (less = "", from = "") => from + MINUS + less,
  ),
  rule(`\\b(?:the )?difference between\\s(${NUMBER})\\sand\\s(${NUMBER})${DONE}`, (one = "", other = "") =>
    Number(one) < Number(other) ? other + MINUS + one : one + MINUS + other,
  ),
  rule(
    `\\bmultiply\\s(${NUMBER})\\s(?:by|and|with)\\s(${NUMBER})`,
    (one = "", other = "") => one + TIMES + other,
  ),
  rule(`\\bdivide\\s(${NUMBER})\\sby\\s(${NUMBER})`, (one = "", other = "") => one + OVER + other),
  rule(`(${NUMBER}) off (?:of )?(${NUMBER})`, (share = "", of = "") =>
    share.endsWith("%") ? of + MINUS + share : `${share} off ${of}`,
  ),
  rule("\\b(?:a )?half (?:of )?(?=\\d)", () => "0.5 times "),
  rule("\\b(?:(?:a|one) )?(?:quarter|fourth) of (?=\\d)", () => "0.25 times "),
  rule("\\b(?:(?:a|one) )?third of (?=\\d)", () => "1 divided by 3 times "),
  rule("(\\d) thirds of (?=\\d)", (count = "") => `${count} divided by 3 times `),
  rule("(\\d) quarters of (?=\\d)", (count = "") => `${count} divided by 4 times `),
];

/** Rewrites calculations asked for in a sentence, such as "Subtract 5 from 20", with digits and operators. */
export function inOperators(text: string): string {
  // With two currencies the exchange rate is unknown: their signs stay, so that it is not a calculation.
  const isOneCurrency = new Set(text.match(/[$€£]/g)).size === 1;
  const plain = isOneCurrency ? text.replace(/[$€£](?=\.?\d)/g, "") : text;
  return REWRITINGS.reduce((written, [pattern, write]) => written.replace(pattern, write), plain);
}

function joined(list: string, operator: string): string {
  return numbersIn(list).join(operator);
}

function numbersIn(list: string): string[] {
  return list.match(new RegExp(NUMBER, "g")) ?? [];
}
