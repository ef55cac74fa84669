import type { WireEvent } from "../../../../contract/index.ts";
import { isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";
import { cutItems } from "./cut-items.ts";
import type { EventWriter } from "./event-writer.ts";
import { writeItem } from "./item-events.ts";

/** Passes on the events of an upstream of this wire, with our own sequence numbers. */
type WireWriter = {
  add(event: WireEvent): void;
  /**
   * Writes events for items of the complete response that had none, and ends those that were not ended: some clients
   * read only the events.
   */
  complete(items: readonly JsonObject[]): void;
  /** Ends the items that an upstream left open when it was stopped. */
  cut(): void;
  /** The items that have ended so far. */
  output(): readonly JsonObject[];
};

/** Already sent by us, with our own id and settings, before the first of these comes. */
const SAID_BEFORE: ReadonlySet<string> = new Set([
  "response.created",
  "response.in_progress",
  "response.queued",
]);
const ITEM_ADDED = "response.output_item.added";
const ITEM_DONE = "response.output_item.done";

export function createWireWriter(writer: EventWriter): WireWriter {
  /** The members of the events that end items; parsed only on demand, which is rare. */
  const done: string[] = [];
  /** `output_index` of the items that have begun, by id, which is the same in all events and in the last response. */
  const begun = new Map<unknown, number>();
  const ended = new Set<unknown>();
  /** The `output_index` after all items that have begun. */
  let next = 0;
  /** `output_index` of items that have not ended: some upstreams write several in parallel. */
  const unended = new Set<number>();
  /** Events since no item was open, from which a cut completes the open ones. Bounded by the size of the answer. */
  let open: WireEvent[] = [];

  function begin(id: unknown, index: number): void {
    begun.set(id, index);
    unended.add(index);
    next = Math.max(next, index + 1);
  }

  /** Writes the end of an item, or all of its events if its beginning was never sent. */
  function end(members: string): void {
    const { output_index: index, item } = JSON.parse(`{${members}}`) as JsonObject;
    done.push(members);
    if (!isObject(item) || begun.has(item["id"])) writer.write(ITEM_DONE, members);
    else {
      begin(item["id"], Number(index));
      writeItem(writer, Number(index), item);
    }
    if (isObject(item)) ended.add(item["id"]);
    unended.delete(Number(index));
    if (unended.size === 0) open = [];
  }

  return {
    add(event) {
      const type = event.event ?? "";
      if (type === "" || SAID_BEFORE.has(type)) return;
      if (type === ITEM_DONE) {
        end(event.members);
        return;
      }
      open.push(event);
      if (type === ITEM_ADDED) {
        const { output_index: index, item } = JSON.parse(`{${event.members}}`) as JsonObject;
        if (isObject(item)) begin(item["id"], Number(index));
      }
      writer.write(type, event.members);
    },
    complete(items) {
      for (const item of items) {
        if (ended.has(item["id"])) continue;
        const index = begun.get(item["id"]) ?? next;
        end(`"output_index":${index},"item":${JSON.stringify(item)}`);
      }
    },
    cut() {
      for (const { index, item } of cutItems(open)) {
        if (!unended.has(index)) continue;
        const members = `"output_index":${index},"item":${JSON.stringify(item)}`;
        done.push(members);
        writer.write(ITEM_DONE, members);
      }
      open = [];
    },
    output: () => itemsIn(done),
  };
}

/** Sorted by `output_index`: of items written in parallel, a later one may have ended first. */
function itemsIn(done: readonly string[]): readonly JsonObject[] {
  const told = done.map((members) => JSON.parse(`{${members}}`) as { output_index?: number; item?: unknown });
  told.sort((one, other) => Number(one.output_index) - Number(other.output_index));
  return told.flatMap(({ item }) => (isObject(item) ? [item] : []));
}
