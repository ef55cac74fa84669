import type { ResponseFormat } from "../../contract.ts";
import type { Random } from "../random.ts";
import { createClueReader } from "./clue-match.ts";
import { readClues } from "./clues.ts";
import type { OptionBook } from "./option-book.ts";
import { createSchemaReader } from "./schema-reader.ts";
import { makeValue } from "./schema-value.ts";
import { requiredUnits } from "./units.ts";

/** Whether the answer must be JSON, and then the JSON; `answer` is what a schemaless object carries. */
export function structuredText(input: {
  format: ResponseFormat | undefined;
  prompt: string;
  answer: string;
  random: Random;
  options: OptionBook;
}): string | null {
  const { format, prompt, random } = input;
  if (format === undefined || format.type === "text") return null;
  if (format.type === "json") return JSON.stringify({ provider: "sandbox", answer: input.answer });
  const reader = createSchemaReader(format.schema);
  const clues = createClueReader(readClues(prompt), input.options, requiredUnits(reader));
  return JSON.stringify(makeValue({ reader, clues, random, optional: "made" }));
}
