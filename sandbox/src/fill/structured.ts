import type { ResponseFormat } from "../../../gateway/src/contract/index.ts";
import type { Random } from "../random.ts";
import type { Answer } from "../talk/answer.ts";
import { sumsIn } from "../talk/arithmetic.ts";
import { listingIn } from "../talk/listing.ts";
import { createClueReader } from "./clue-match.ts";
import { readCluesOfResults } from "./clues.ts";
import type { OptionBook } from "./option-book.ts";
import { createPatternBook } from "./pattern/pattern-text.ts";
import { createCheck } from "./schema/schema-check.ts";
import { cluesForSchema } from "./schema/schema-lists.ts";
import { createSchemaReader } from "./schema/schema-reader.ts";
import { makeValue } from "./schema/schema-value.ts";
import { requiredUnits } from "./units.ts";

/**
 * The answer as JSON, with the plain answer in it if the schema has a place for one; null if JSON was not requested.
 */
export function structuredText(input: {
  format: ResponseFormat | undefined;
  prompt: string;
  /** The tools' results. */
  results: readonly string[];
  plain: Answer;
  random: Random;
  options: OptionBook;
}): string | null {
  const { format, prompt, results, plain, random } = input;
  if (format === undefined || format.type === "text") return null;
  if (format.type === "json") return JSON.stringify({ provider: "sandbox", answer: plain.text });
  const reader = createSchemaReader(format.schema);
  const sum = plain.topic === "arithmetic" ? sumsIn(prompt)[0]?.value : undefined;
  const said = plain.isTalk ? { talk: plain.text } : { answer: plain.text };
  const listing = plain.topic === "a list" ? listingIn(prompt) : null;
  if (listing?.isKnown && createCheck(reader, createPatternBook()).fits(reader.root, [...listing.items])) {
    return JSON.stringify(listing.items);
  }
  const clues = readCluesOfResults(results, prompt);
  const fitting = cluesForSchema(clues, reader, listing?.isKnown ? listing.items : []);
  const known = { ...fitting, ...said, ...(sum === undefined ? {} : { sum }) };
  const taker = createClueReader(known, input.options, requiredUnits(reader));
  return JSON.stringify(makeValue({ reader, clues: taker, random, optional: "made" }));
}
