import { sign } from "../kit/index.ts";

/** What all nodes of one installation must have in common, as far as each may tell the others. */
export type NodeMarks = {
  /** The same for the same secret. Too short to prove a guess by: many secrets have it. */
  readonly secretMark: string;
  /** Where files are kept. */
  readonly objectsPlace: string;
};

export type MarkedNode = NodeMarks & { readonly host: string };

export type OwnMarks = NodeMarks & {
  /** What a node of an earlier version says of the same place, which may serve until it is replaced. */
  readonly formerObjectsPlace: string;
};

const MARK_CHARACTERS = 6;

export function nodeMarks({
  secret,
  ...places
}: Omit<OwnMarks, "secretMark"> & { secret: string }): OwnMarks {
  return { secretMark: sign(secret, "node", "mark").slice(0, MARK_CHARACTERS), ...places };
}
