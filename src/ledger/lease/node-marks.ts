import { sign } from "../../kit/index.ts";

/** What all nodes of an installation must have in common, in a form that is safe to publish to the others. */
export type NodeMarks = {
  /** Equal for equal secrets. Too short to confirm a guess: many secrets share it. */
  readonly secretMark: string;
  /** Where files are kept. */
  readonly objectsPlace: string;
};

export type MarkedNode = NodeMarks & { readonly host: string };

export type OwnMarks = NodeMarks & {
  /** The name that nodes of an earlier version publish for the same place; they may serve until they are replaced. */
  readonly formerObjectsPlace: string;
};

const MARK_CHARACTERS = 6;

export function nodeMarks({
  secret,
  ...places
}: Omit<OwnMarks, "secretMark"> & { secret: string }): OwnMarks {
  return { secretMark: sign(secret, "node", "mark").slice(0, MARK_CHARACTERS), ...places };
}
