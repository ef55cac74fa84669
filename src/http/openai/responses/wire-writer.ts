import { isObject } from "../../../kit/index.ts";
import type { WireEvent } from "../../../providers/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { cutItems } from "./cut-items.ts";
import type { EventWriter } from "./event-writer.ts";
import { writeItem } from "./item-events.ts";

/** Hands on the events of an upstream that speaks this wire, under our own numbers. */
type WireWriter = {
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
  /** The numbers of items that have begun, by their ids, of which an upstream's events and its last response have one each. */
  const begun = new Map<unknown, number>();
  const ended = new Set<unknown>();
  /** Behind all that have begun. */
  let next = 0;
  /** The numbers of items that have not ended: some upstreams write several side by side. */
  const unended = new Set<number>();
  /** Since no item was open: what a cut would leave open. Bounded by the answer, of which the caller has all. */
  let open: WireEvent[] = [];

  function begin(id: unknown, index: number): void {
    begun.set(id, index);
    unended.add(index);
    next = Math.max(next, index + 1);
  }

  /** An item's end, and its beginning where nobody has told it. */
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

/** In the order of their numbers: of items side by side a later one may have ended first. */
function itemsIn(done: readonly string[]): readonly JsonObject[] {
  const told = done.map((members) => JSON.parse(`{${members}}`) as { output_index?: number; item?: unknown });
  told.sort((one, other) => Number(one.output_index) - Number(other.output_index));
  return told.flatMap(({ item }) => (isObject(item) ? [item] : []));
}
