import type { Clues } from "../fill/clues.ts";
import type { SchemaNode } from "../fill/schema/schema-node.ts";
import type { Look } from "./look.ts";
import type { Phrase } from "./tool-words.ts";

/** An argument of a tool, and the words of its name. */
export type Argument = {
  readonly name: string;
  readonly words: readonly string[];
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
};

/** What a prompt asks for, and of which tool. */
export type Asking = Clues & {
  readonly deed: Phrase;
  readonly parameters: readonly Argument[];
  readonly look: Look;
};

/** What a prompt says of an argument by the way it is built. */
export type Reader = (argument: Argument, asking: Asking) => readonly string[] | undefined;
