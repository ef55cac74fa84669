import { sayAbbreviations } from "./abbreviations.ts";
import { sayAcronyms } from "./acronyms.ts";
import { sayAddresses } from "./addresses.ts";
import { sayDates, sayTelephones } from "./dates.ts";
import { dropMarkup } from "./markup.ts";
import { sayMoney } from "./money.ts";
import { sayNumbers } from "./numbers.ts";
import { romanize } from "./romanize.ts";
import { type SpokenSentence, splitSentences } from "./sentences.ts";
import { nameSymbols, nameSymbolsFirst } from "./symbols.ts";
import { sayUnits } from "./units.ts";

const NOTHING_TO_READ = "There is nothing here that I can read aloud.";

/** The order matters: each step leaves what it does not know to the next, and the last ones handle the rest. */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/[^\S\n]+/g, " "),
  dropMarkup,
  sayAddresses,
  nameSymbolsFirst,
  sayMoney,
  sayTelephones,
  sayDates,
  sayUnits,
  romanize,
  sayAbbreviations,
  sayNumbers,
  nameSymbols,
  sayAcronyms,
];

/** A text as it is spoken, in plain English letters, sentence by sentence; never empty. */
export function readAloud(text: string): SpokenSentence[] {
  const sentences = splitSentences(saidText(text));
  return sentences.length > 0 ? sentences : splitSentences(NOTHING_TO_READ);
}

export function saidText(text: string): string {
  const said = STEPS.reduce((left, step) => step(left), text);
  return said
    .replace(/[^A-Za-z' ,.;:?!\n-]+/g, " ")
    .replace(/(?<![A-Za-z])['-]+|['-]+(?![A-Za-z])/g, " ")
    .replace(/(?<! ) +(?=[,.;:?!])/g, "")
    .replace(/[,;:](?:[\s]*[,;:])+/g, ",")
    .replace(/([.?!])[.,;:]+/g, "$1")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/^[\s,;:.]+/, "")
    .trim();
}
