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
  /** Items of the whole response in the order in which they were told. */
  inOrder(items: readonly JsonObject[]): readonly JsonObject[];
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
  /** Of the items that have ended, by their id. */
  const places = new Map<unknown, number>();
  /** The indexes of items that have begun, and those of the last of each id. */
  const begun = new Set<unknown>();
  const begunAs = new Map<unknown, unknown>();
  /** All before it are taken. */
  let free = 0;
  /** Since the last item ended: what a cut would leave open. Bounded by the answer, of which the caller has all. */
  let open: WireEvent[] = [];

  /** An item's end, and its beginning where nobody has told it. */
  function end(members: string): void {
    const { output_index: index, item } = JSON.parse(`{${members}}`) as JsonObject;
    done.push(members);
    if (isObject(item)) places.set(item["id"], Number(index));
    if (begun.has(index) || !isObject(item)) writer.write(ITEM_DONE, members);
    else writeItem(writer, Number(index), item);
    open = [];
  }

  /** Under which number an item of the whole response is told that has not ended: as it began, else as the next one. */
  function indexFor(item: JsonObject, place: number, used: ReadonlySet<unknown>): unknown {
    const own = begunAs.get(item["id"]);
    if (own !== undefined && !used.has(own)) return own;
    if (begun.has(place) && !used.has(place)) return place;
    while (used.has(free) || begun.has(free)) free++;
    return free;
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
        const { index, id } = placeOf(event.members);
        begun.add(index);
        begunAs.set(id, index);
      }
      writer.write(type, event.members);
    },
    complete(items) {
      if (items.length <= done.length) return;
      const ended = done.map(placeOf);
      const used = new Set(ended.map(({ index }) => index));
      const names = new Set(ended.map(({ id }) => id));
      const known = new Set(items.map(({ id }) => id));
      // What ended under a name that the whole response does not have is the item in its place.
      const renamed = new Set(ended.flatMap(({ index, id }) => (known.has(id) ? [] : [index])));
      for (const [place, item] of items.entries()) {
        if ((item["id"] !== undefined && names.has(item["id"])) || renamed.has(place)) continue;
        const index = indexFor(item, place, used);
        used.add(index);
        end(`"output_index":${index},"item":${JSON.stringify(item)}`);
      }
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
    inOrder(items) {
      if (!items.every(({ id }) => places.has(id))) return items;
      return items.toSorted((one, other) => Number(places.get(one["id"])) - Number(places.get(other["id"])));
    },
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
