import { type Fields, isFields } from "../../../wires/index.ts";

/** Where an item has its parts, and how events number them. */
export type PartList = {
  readonly list: "content" | "summary";
  readonly index: "content_index" | "summary_index";
  readonly added: string;
  readonly done: string;
};

/** An event about a part of an item. */
export type PartEvent = PartList & {
  readonly step: "added" | "done" | "within";
  /** The part without any content; undefined if the event contains the part itself. */
  readonly empty?: Fields;
  /** Fields that such an event always has, and that some servers omit. */
  readonly always?: Fields;
};

const CONTENT: PartList = {
  list: "content",
  index: "content_index",
  added: "response.content_part.added",
  done: "response.content_part.done",
};
const SUMMARY: PartList = {
  list: "summary",
  index: "summary_index",
  added: "response.reasoning_summary_part.added",
  done: "response.reasoning_summary_part.done",
};
export const PART_LISTS: readonly PartList[] = [CONTENT, SUMMARY];

const EMPTY_PARTS: Readonly<Record<string, Fields>> = {
  output_text: { text: "", annotations: [], logprobs: [] },
  refusal: { refusal: "" },
  reasoning_text: { text: "" },
  summary_text: { text: "" },
};

const within = (
  list: PartList,
  type: string,
  names: readonly string[],
  always: Fields = {},
): [string, PartEvent][] =>
  names.map((name) => [`response.${name}`, { ...list, step: "within", empty: emptyPart(type), always }]);

export const PART_EVENTS: ReadonlyMap<string, PartEvent> = new Map([
  ...PART_LISTS.flatMap((list): [string, PartEvent][] => [
    [list.added, { ...list, step: "added" }],
    [list.done, { ...list, step: "done" }],
  ]),
  ...within(CONTENT, "output_text", ["output_text.delta", "output_text.done"], { logprobs: [] }),
  ...within(CONTENT, "output_text", ["output_text.annotation.added"]),
  ...within(CONTENT, "refusal", ["refusal.delta", "refusal.done"]),
  ...within(CONTENT, "reasoning_text", ["reasoning_text.delta", "reasoning_text.done"]),
  ...within(SUMMARY, "summary_text", ["reasoning_summary_text.delta", "reasoning_summary_text.done"]),
]);

/** Names that some servers use for these events and no client knows. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["response.reasoning_part.added", CONTENT.added],
  ["response.reasoning_part.done", CONTENT.done],
]);

/** The delta event of a type of part, and the fields it always has; undefined if there is none. */
export function pieceOf(partType: unknown): { readonly type: string; readonly always: Fields } | undefined {
  return PIECES.get(partType);
}

const PIECES: ReadonlyMap<unknown, { readonly type: string; readonly always: Fields }> = new Map(
  [...PART_EVENTS]
    .filter(([type]) => type.endsWith(".delta"))
    .map(([type, { empty, always = {} }]) => [empty?.["type"], { type, always }]),
);

/** The name of an event that clients know. */
export function usualName(type: string): string {
  return OTHER_NAMES.get(type) ?? type;
}

/** The part that an event is about, as far as the event contains it. */
export function partIn({ empty }: PartEvent, { part }: Fields): Fields {
  if (empty !== undefined) return empty;
  return isFields(part) ? part : emptyPart("output_text");
}

/** A part that has no content yet. */
export function emptyPart(type: string): Fields {
  return { type, ...EMPTY_PARTS[type] };
}

/** The item that such a part belongs to, without any content. */
export function emptyItem({ type }: Fields): Fields {
  return type === "reasoning_text" || type === "summary_text"
    ? { type: "reasoning", status: "in_progress", summary: [] }
    : { type: "message", status: "in_progress", role: "assistant", content: [] };
}
