import { clip } from "../words.ts";
import type { Clues } from "./clues.ts";
import { type Direction, directionOf, SMALL_WORDS } from "./directions.ts";
import { DAY_NAMES, isYear, isYearName, kindOf, PLACE_NAMES, valueOfKind } from "./field-kinds.ts";
import { createFormatReader, isKnownFormat } from "./format-clues.ts";
import { SANDBOX_YEAR } from "./format-texts.ts";
import { hasAny, identifierWords, setOf } from "./identifier.ts";
import { beginsMoment, createMoments } from "./moments.ts";
import { numberIn } from "./number-in.ts";
import { createNumbersAfter } from "./numbers-after.ts";
import { createOptionBook, type OptionBook } from "./option-book.ts";
import { COMMAND, FILE, URL_SHAPE } from "./prompt-shapes.ts";
import { createOptionReader, type OptionReader } from "./said-options.ts";
import { createSaidTexts } from "./said-text.ts";
import { saidTruth } from "./said-truth.ts";
import { fitsFormat } from "./schema/schema-format.ts";
import { unitsOf } from "./units.ts";

/** Hands out the clues of one prompt; a clue taken for one argument is not given to the next. */
export type ClueReader = {
  readonly clues: Clues;
  /** Text for an argument of that name; undefined if the prompt has nothing suitable. */
  text(name: string, wanted: { format?: string | undefined; item: number }): string | undefined;
  /** The first number that fits. A labelled number is only for the argument of that name, or that item of its list. */
  number(name: string, wanted: { fits: (value: number) => boolean; item: number }): number | undefined;
  truth(name: string): boolean | undefined;
  /** Quoted texts or numbers that were not taken and are meant for no other argument. */
  left(kind: "quoted" | "numbers"): number;
  readonly options: OptionReader;
  /** Free text may be the whole prompt: the last resort for a required argument. */
  wholePrompt(name: string): string | undefined;
};

/** Words in argument names, and the shape of the values they want. */
const SHAPES: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [new Set(["url", "uri", "link", "href"]), new RegExp(URL_SHAPE, "")],
  [new Set(["email", "mail"]), /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/],
  [new Set(["path", "file", "filename", "filepath", "directory", "dir"]), FILE],
  [new Set(["command", "cmd", "script", "shell"]), COMMAND],
];

const IDS = new Set(["id", "reference", "sku", "number"]);
/** `A-17` and `INV001`: letters with digits are an identifier. */
const ID = /(?<![\w./@-])[A-Za-z]{1,12}[-_]?\d[\w-]{0,40}(?![\w/@]|\.\w)/;
/** Prepositions before a place. */
export const PLACE_WORDS: readonly string[] =
  "in at near for of to from im bei für nach aus à au en pour para em".split(" ");
const FREE_TEXT = setOf(
  "query question prompt text message content input q search topic description task instructions body title subject note",
);
const ANSWERS = setOf(
  "answer reply response result output summary message text content body conclusion explanation",
);
const REPLIES = new Set(["answer", "reply", "response"]);
const SUMS = setOf("answer result sum total value product difference quotient");
/** A reply may appear beside its explanation, but not in every item of a long list. */
const MAX_REPLIES = 4;
const MAX_FREE_CHARACTERS = 500;

/** Numbers counted in one of `units` are reserved for arguments with that unit in their names. */
export function createClueReader(
  clues: Clues,
  book: OptionBook = createOptionBook(),
  units: ReadonlySet<string> = new Set(),
): ClueReader {
  const taken = new Set<string>();
  const take = (value: string | undefined) => {
    if (value === undefined || taken.has(value)) return undefined;
    taken.add(value);
    return value;
  };
  let replies = 0;
  const takeReply = () => (replies++ < MAX_REPLIES ? (clues.answer ?? clues.talk) : undefined);
  const labelsTaken = new Set<string>();
  const takeLabelled = (name: string, item: number) => {
    const value = clues.labels.get(name.toLowerCase())?.[item];
    const key = `${name}/${item}`;
    if (value === undefined || labelsTaken.has(key)) return undefined;
    labelsTaken.add(key);
    taken.add(value);
    return value;
  };
  const unquoted = () => clues.quoted.find((value) => !taken.has(value));
  const nameAfter = (words: readonly string[]) =>
    clues.names.find(({ before, name }) => words.includes(before) && !taken.has(name))?.name;
  const nameNotAfter = (words: readonly string[]) =>
    clues.names.find(({ before, name }) => !words.includes(before) && !taken.has(name))?.name;
  const anyName = () => nameNotAfter([]);
  const moments = createMoments(clues.text);
  const formatted = createFormatReader(clues.text, moments);
  const said = createSaidTexts(clues.text);
  const numbersAfter = createNumbersAfter(clues.text);
  const numbersTaken = new Set<number>();
  /** Each shape is searched once, however many arguments want it. */
  const shaped = new Map<RegExp, string | undefined>();
  const shapedAs = (shape: RegExp) => {
    if (!shaped.has(shape)) {
      const found = shape.exec(clues.text);
      shaped.set(shape, found?.[1] ?? found?.[0]);
    }
    return shaped.get(shape);
  };

  return {
    clues,
    options: createOptionReader(clues, book),
    text(name, { format, item }) {
      const words = identifierWords(name);
      const has = (set: ReadonlySet<string>) => hasAny(words, set);
      const label = clues.labels.get(name.toLowerCase());
      const labelled = label?.[item];
      if (isKnownFormat(format)) {
        if (labelled !== undefined && fitsFormat(format, labelled)) return takeLabelled(name, item);
        return take(formatted(format, momentDirection(words)).find((value) => !taken.has(value)));
      }
      const moment = has(DAY_NAMES) ? "day" : words.at(-1) === "time" ? "hour" : undefined;
      if (moment !== undefined) {
        // A label takes one word, which is less than "March 5, 2027" and "7:30 pm".
        const begin = labelled === undefined || beginsMoment(labelled) ? "" : labelled;
        const plain = formatted(moment, momentDirection(words)).find(
          (value) => !taken.has(value) && value.startsWith(begin),
        );
        return take(plain) ?? takeLabelled(name, item) ?? take(unquoted());
      }
      if (label !== undefined) {
        // A label takes one word, but a text may have more.
        const isPhrase = item === 0 && label.length === 1 && has(FREE_TEXT);
        const phrase = isPhrase ? said.labelled(words) : undefined;
        return (phrase?.startsWith(labelled ?? "") ? take(phrase) : undefined) ?? takeLabelled(name, item);
      }
      const spoken = item === 0 ? take(said.named(words)) : undefined;
      if (spoken !== undefined) return spoken;
      // Taken only once: it may be long, and a list of thousands of texts would repeat it.
      const answer = has(REPLIES) ? takeReply() : has(ANSWERS) ? take(clues.answer) : undefined;
      if (answer !== undefined) return answer;
      const id = has(IDS) && clues.quoted.length === 0 ? take(shapedAs(ID)) : undefined;
      if (id !== undefined) return id;
      const kind = kindOf(words);
      if (kind !== undefined) {
        const found = shapedAs(kind);
        return take(found === undefined ? unquoted() : valueOfKind(found));
      }
      if (words.includes("language")) {
        const spoken = nameAfter(["to", "into", "in"]);
        if (spoken !== undefined) return take(spoken);
      }
      const shape = SHAPES.find(([names]) => has(names))?.[1];
      if (shape !== undefined) return take(shapedAs(shape) ?? unquoted());
      const object = item === 0 && clues.quoted.length === 0 ? take(said.object(words)) : undefined;
      if (object !== undefined) return object;
      const direction = directionOf(words);
      if (direction !== "none") {
        const [address] = formatted("email", direction);
        return take(nameAfter(SMALL_WORDS[direction]) ?? address ?? nameAfter(["in", "at", ""]));
      }
      if (has(FREE_TEXT)) return take(unquoted());
      if (has(PLACE_NAMES)) return take(unquoted() ?? nameAfter(PLACE_WORDS) ?? anyName());
      return take(unquoted() ?? nameNotAfter(PLACE_WORDS) ?? anyName());
    },
    number(name, { fits, item }) {
      const [first = "", ...others] = clues.labels.get(name.toLowerCase()) ?? [];
      const isLabelled = numberIn(first) !== undefined;
      const labelled = isLabelled ? numberIn([first, ...others][item] ?? "") : undefined;
      if (isLabelled && (labelled === undefined || !fits(labelled))) return undefined;
      const words = identifierWords(name);
      const { sum } = clues;
      const isSum = !isLabelled && item === 0 && hasAny(words, SUMS);
      if (isSum && sum !== undefined && fits(sum)) return sum;
      const part = isLabelled ? undefined : moments.part(words);
      if (part !== undefined && fits(part)) return part;
      const wantsYear = !isLabelled && isYearName(words);
      const isWanted = (value: number, at: number) =>
        !numbersTaken.has(at) &&
        (labelled === undefined ? fits(value) && (!wantsYear || isYear(value)) : value === labelled);
      const own = new Set(unitsOf(name));
      const isOwn = (at: number) => own.has(clues.units[at] ?? "");
      const isOthers = (at: number) => labelled === undefined && units.has(clues.units[at] ?? "");
      const after = isLabelled ? undefined : numbersAfter(words);
      const isNamed = (value: number) => after?.has(value) === true;
      const named = clues.numbers.findIndex((value, index) => isNamed(value) && isWanted(value, index));
      const counted =
        named >= 0
          ? named
          : clues.numbers.findIndex((value, index) => isOwn(index) && isWanted(value, index));
      const at =
        counted >= 0
          ? counted
          : clues.numbers.findIndex((value, index) => !isOthers(index) && isWanted(value, index));
      if (at >= 0) numbersTaken.add(at);
      return labelled ?? clues.numbers[at] ?? (wantsYear ? SANDBOX_YEAR : undefined);
    },
    truth: (name) => saidTruth(clues, name),
    left: (kind) =>
      kind === "numbers"
        ? clues.units.filter((unit, at) => !numbersTaken.has(at) && !units.has(unit)).length
        : clues.quoted.filter((value) => !taken.has(value)).length,
    wholePrompt(name) {
      if (!hasAny(identifierWords(name), FREE_TEXT) || clues.prompt === "") return undefined;
      return clip(clues.prompt, MAX_FREE_CHARACTERS);
    },
  };
}

function momentDirection(words: readonly string[]): Direction {
  return words.includes("end") ? "to" : directionOf(words);
}
