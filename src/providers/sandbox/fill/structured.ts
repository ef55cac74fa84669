import type { ResponseFormat } from "../../contract.ts";
import type { Random } from "../random.ts";
import type { Answer } from "../talk/answer.ts";
import { sumsIn } from "../talk/arithmetic.ts";
import { createClueReader } from "./clue-match.ts";
import { readClues } from "./clues.ts";
import type { OptionBook } from "./option-book.ts";
import { createSchemaReader } from "./schema-reader.ts";
import { makeValue } from "./schema-value.ts";
import { requiredUnits } from "./units.ts";

/** Whether the answer must be JSON, and then the JSON: with the plain answer in it where it has a place for one. */
export function structuredText(input: {
  format: ResponseFormat | undefined;
  prompt: string;
  plain: Answer;
  random: Random;
  options: OptionBook;
}): string | null {
  const { format, prompt, plain, random } = input;
  if (format === undefined || format.type === "text") return null;
  if (format.type === "json") return JSON.stringify({ provider: "sandbox", answer: plain.text });
  const reader = createSchemaReader(format.schema);
  const sum = plain.topic === "arithmetic" ? sumsIn(prompt)[0]?.value : undefined;
  const said = plain.isTalk ? { talk: plain.text } : { answer: plain.text };
  const known = { ...readClues(prompt), ...said, ...(sum === undefined ? {} : { sum }) };
  const clues = createClueReader(known, input.options, requiredUnits(reader));
  return JSON.stringify(makeValue({ reader, clues, random, optional: "made" }));
}
