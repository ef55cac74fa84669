import { isObject } from "../../../kit/index.ts";
import type { WireEvent } from "../../../providers/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { cutItems } from "./cut-items.ts";
import type { EventWriter } from "./event-writer.ts";
import { writeItem } from "./item-events.ts";

/** Hands on the events of an upstream that speaks this wire, under our own numbers. */
export type WireWriter = {
  add(event: WireEvent): void;
  /**
   * Tells of the items of the whole response that no event has told of, and ends those that none has ended: some clients
   * read the events alone.
   */
  complete(items: readonly JsonObject[]): void;
  /** Ends what an upstream that was stopped half-way has left open. */
  cut(): void;
  /** The items that were ended so far. */
  output(): readonly JsonObject[];
};

/** Said by us before the first of these comes, with our own name and settings. */
const SAID_BEFORE: ReadonlySet<string> = new Set([
  "response.created",
  "response.in_progress",
  "response.queued",
]);
const ITEM_ADDED = "response.output_item.added";
const ITEM_DONE = "response.output_item.done";

export function createWireWriter(writer: EventWriter): WireWriter {
  /** Read only where somebody asks, which is hardly ever. */
  const done: string[] = [];
  const added: string[] = [];
  /** Since the last item ended: what a cut would leave open. Bounded by the answer, of which the caller has all. */
  let open: WireEvent[] = [];

  return {
    add(event) {
      const type = event.event ?? "";
      if (type === "" || SAID_BEFORE.has(type)) return;
      if (type === ITEM_DONE) {
        done.push(event.members);
        open = [];
      } else {
        open.push(event);
        if (type === ITEM_ADDED) added.push(event.members);
      }
      writer.write(type, event.members);
    },
    complete(items) {
      if (items.length <= done.length) return;
      const ended = done.map(placeOf);
      const indexes = new Set(ended.map(({ index }) => index));
      const ids = new Set(ended.flatMap(({ id }) => (typeof id === "string" ? [id] : [])));
      const begun = new Set(
        [...added, ...open.map(({ members }) => members)].map((each) => placeOf(each).index),
      );
      for (const [index, item] of items.entries()) {
        // By either of the two: some servers number all items alike, and others name one in two ways.
        if (indexes.has(index) || ids.has(String(item["id"]))) continue;
        const members = `"output_index":${index},"item":${JSON.stringify(item)}`;
        done.push(members);
        if (begun.has(index)) writer.write(ITEM_DONE, members);
        else writeItem(writer, index, item);
      }
      open = [];
    },
    cut() {
      for (const { index, item } of cutItems(open)) {
        const members = `"output_index":${index},"item":${JSON.stringify(item)}`;
        done.push(members);
        writer.write(ITEM_DONE, members);
      }
      open = [];
    },
    output: () => done.flatMap(itemIn),
  };
}

function placeOf(members: string): { readonly index: unknown; readonly id: unknown } {
  const { output_index: index, item } = JSON.parse(`{${members}}`) as JsonObject;
  return { index, id: isObject(item) ? item["id"] : undefined };
}

function itemIn(members: string): readonly JsonObject[] {
  const { item } = JSON.parse(`{${members}}`) as { item?: unknown };
  return isObject(item) ? [item] : [];
}
