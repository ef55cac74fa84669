import { sign } from "../../kit/index.ts";

/** What all nodes of an installation must have in common, in a form that is safe to publish to the others. */
export type NodeMarks = {
  /** Equal for equal secrets. Too short to confirm a guess: many secrets share it. */
  readonly secretMark: string;
  /** Where files are kept. */
  readonly objectsPlace: string;
  /** Equal for equal models, prices, plans and limits. Null of a node whose version publishes none. */
  readonly catalogMark: string | null;
};

export type MarkedNode = NodeMarks & { readonly host: string };

const MARK_CHARACTERS = 6;

export function nodeMarks({
  secret,
  ...marks
}: Omit<NodeMarks, "secretMark"> & { readonly secret: string }): NodeMarks {
  return { secretMark: sign(secret, "node", "mark").slice(0, MARK_CHARACTERS), ...marks };
}
