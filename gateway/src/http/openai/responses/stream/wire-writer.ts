import type { WireEvent } from "../../../../contract/index.ts";
import { isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";
import type { EventWriter } from "./event-writer.ts";
import { writeItem } from "./item-events.ts";

type CutItem = { readonly index: number; readonly item: JsonObject };

type OpenItem = { readonly item: JsonObject; said: string };

/** Events with the content of an item, one for each type of item. */
const SAYING: ReadonlySet<string | undefined> = new Set([
  "response.output_text.delta",
  "response.function_call_arguments.delta",
  "response.custom_tool_call_input.delta",
]);

/**
 * Items that have begun but not ended, with the content that came: some clients read only items that have ended, and
 * what was delivered is charged. Only messages and calls are usable in part.
 */
function cutItems(events: readonly WireEvent[]): readonly CutItem[] {
  const open = new Map<number, OpenItem>();
  for (const { event, members } of events) {
    const { output_index: index, item, delta } = JSON.parse(`{${members}}`) as Record<string, unknown>;
    if (typeof index !== "number") continue;
    if (event === "response.output_item.added" && isObject(item)) {
      open.set(index, { item, said: "" });
    }
    const begun = open.get(index);
    if (begun !== undefined && typeof delta === "string" && SAYING.has(event)) begun.said += delta;
  }
  return [...open].flatMap(([index, begun]) => {
    const item = cutItem(begun);
    return item === null ? [] : [{ index, item }];
  });
}

function cutItem({ item, said }: OpenItem): JsonObject | null {
  const cut = { ...item, status: "incomplete" };
  switch (item["type"]) {
    case "message": {
      const part = { type: "output_text", text: said, annotations: [], logprobs: [] };
      return { ...cut, content: said === "" ? [] : [part] };
    }
    case "function_call":
      return { ...cut, arguments: said };
    case "custom_tool_call":
      return { ...cut, input: said };
    default:
      return null;
  }
}

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
