import { sign } from "../../kit/index.ts";

/** What all nodes of an installation must have in common, in a form that is safe to publish to the others. */
export type NodeMarks = {
  /** Equal for equal secrets. Too short to confirm a guess: many secrets share it. */
  readonly secretMark: string;
  /** Where files are kept. */
  readonly objectsPlace: string;
};

export type MarkedNode = NodeMarks & { readonly host: string };

const MARK_CHARACTERS = 6;

export function nodeMarks({ secret, objectsPlace }: { secret: string; objectsPlace: string }): NodeMarks {
  return { secretMark: sign(secret, "node", "mark").slice(0, MARK_CHARACTERS), objectsPlace };
}
