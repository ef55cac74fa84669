import type { Clues } from "../fill/clues.ts";
import type { SchemaNode } from "../fill/schema/schema-node.ts";
import type { Look } from "./look.ts";
import type { Phrase } from "./tool-words.ts";

/** An argument of a tool; `words` are those of its name. */
export type Argument = {
  readonly name: string;
  readonly words: readonly string[];
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
};

/** The clues of a prompt, for one tool. */
export type Asking = Clues & {
  readonly deed: Phrase;
  readonly parameters: readonly Argument[];
  readonly look: Look;
};

/** Extracts an argument's values from the structure of the prompt's sentences. */
export type Reader = (argument: Argument, asking: Asking) => readonly string[] | undefined;
