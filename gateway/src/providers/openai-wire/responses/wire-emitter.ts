import type { ChatEvent } from "../../../contract/index.ts";
import { type Fields, fieldsOf, isFields, withField, writtenInItem } from "../../../wires/index.ts";
import type { ReadingContext } from "../decode/decode-chunk.ts";
import { EarlierCalls } from "../decode/earlier-calls.ts";
import { finishOfResponse } from "./decode-response.ts";
import type { ResponseEmitter } from "./decode-response-stream.ts";
import { filledItem, wholeItem, wholeItems } from "./filled-item.ts";
import { CALL_EVENTS, eventOf, ItemEmitter } from "./item-emitter.ts";
import { ItemPlaces, type PlacedItem } from "./item-places.ts";
import type { ReasoningMarker } from "./marked-reasoning.ts";
import { emptyItem, PART_EVENTS, type PartEvent, partIn, usualName } from "./part-events.ts";
import { membersOf, writtenMembers } from "./response-members.ts";
import { wholeCall } from "./whole-call.ts";

/** Gives the calls of a response ids that no earlier call has; the same item if nothing changes. */
class FreeCallIds {
  readonly #earlier: EarlierCalls;
  /** By the server's id: a stream mentions each call several times. */
  readonly #given = new Map<string, string>();

  constructor(earlier: EarlierCalls) {
    this.#earlier = earlier;
  }

  /** For an event that contains an item. */
  event(event: Fields): Fields {
    return withField(event, "item", this.item(event["item"]));
  }

  item(item: unknown): unknown {
    if (!isFields(item)) return item;
    const { call_id: id, type } = item;
    if (typeof id !== "string" || id === "") return item;
    // A result may belong to an earlier call; only a new call needs an unused id.
    if (!this.#given.has(id) && String(type).endsWith("_call")) this.#given.set(id, this.#earlier.freeId(id));
    return withField(item, "call_id", this.#given.get(id) ?? id);
  }
}

/**
 * The items of a whole response as they were streamed: with the same ids, in the same order, and with those that it
 * left out. Items that were not streamed come after them.
 */
function emittedOutput(
  output: readonly unknown[],
  places: ItemPlaces,
  ended: ReadonlyMap<PlacedItem, unknown>,
): { readonly items: readonly unknown[]; readonly of: ReadonlyMap<PlacedItem, unknown> } {
  const of = new Map<PlacedItem, unknown>(ended);
  const left = new Set(places.items);
  const rest = new Set(output);
  function match(keysOf: (placed: PlacedItem) => Iterable<string>, keyOf: (item: Fields) => string): void {
    const queues = queuesOf(left, keysOf);
    for (const item of rest) {
      const queue = isFields(item) ? queues.get(keyOf(item)) : undefined;
      while (queue?.length && !left.has(queue.at(-1) as PlacedItem)) queue.pop();
      const placed = queue?.pop();
      if (placed === undefined) continue;
      left.delete(placed);
      rest.delete(item);
      of.set(placed, called(item, placed.id));
    }
  }
  // Some have another id there, and some share one: then the first that is left of the same type and call.
  const kindOf = ({ type, call_id: callId = "" }: Fields) => `${type} ${callId}`;
  const kindAsEmitted = ({ type, callId }: PlacedItem) => `${type} ${callId}`;
  match(
    (placed) => placed.names.map((name) => `${kindAsEmitted(placed)} ${name}`),
    (item) => `${kindOf(item)} ${item["id"]}`,
  );
  match(
    ({ names }) => names,
    ({ id }) => String(id),
  );
  match((placed) => [kindAsEmitted(placed)], kindOf);
  const emitted = places.items.flatMap((placed) => (of.has(placed) ? [of.get(placed)] : []));
  const others = [...rest].map((item) => (isFields(item) ? called(item, places.nameFor(item)) : item));
  return { items: [...emitted, ...others], of };
}

/** The same item if it already has this id. */
function called(item: unknown, id: string): unknown {
  return isFields(item) ? withField(item, "id", id) : item;
}

function queuesOf(
  placed: Iterable<PlacedItem>,
  keysOf: (placed: PlacedItem) => Iterable<string>,
): Map<string, PlacedItem[]> {
  const queues = new Map<string, PlacedItem[]>();
  for (const each of [...placed].reverse()) {
    for (const key of keysOf(each)) queues.getOrInsert(key, []).push(each);
  }
  return queues;
}

const NAME = /^response\.[\w.]+$/;
const ITEM_ADDED = "response.output_item.added";
const ITEM_DONE = "response.output_item.done";

/** Passes on every event of a response, repaired; the last one becomes `finish`, with the whole response. */
export function createWireEmitter(context: ReadingContext, marked: ReasoningMarker): ResponseEmitter {
  const places = new ItemPlaces();
  const callIds = new FreeCallIds(new EarlierCalls(context.earlierMessages ?? []));
  /** For the items that are open. */
  const emitters = new Map<PlacedItem, ItemEmitter>();
  /** Open items that the server never announced: their text may be repeated by an item that ends. */
  const orphans = new Set<PlacedItem>();
  /** Characters counted for them, by the type of item. */
  const astray = new Map<unknown, number>();
  /** Some servers leave the last event's output empty, and some clients read nothing else. */
  const ended = new Map<PlacedItem, unknown>();

  /** The event as it is sent: with one index and one id for each item. Null if nobody needs it. */
  function placed(type: string, event: Fields, out: ChatEvent[]): Fields | null {
    if (type === ITEM_ADDED) return begin(event);
    const about = PART_EVENTS.get(type);
    const isNamed = about !== undefined || CALL_EVENTS.has(type) || event["item_id"] !== undefined;
    if (!isNamed && event["output_index"] === undefined) return event;
    const item = places.of(event) ?? (about === undefined ? null : beginUnannounced(about, event, out));
    // Other events about an unknown item cannot be interpreted; the item is sent whole once it is there.
    if (item === null) return null;
    // Some events of hosted tools have no id, although their items do.
    const hasName = isNamed || item.names.length === 0;
    const numbered = withField(event, "output_index", item.index);
    const emitted = hasName ? withField(numbered, "item_id", item.id) : numbered;
    const emitter = emitters.get(item);
    if (emitter === undefined) return emitted;
    const before = emitter.written;
    emitter.written += textIn(type, event).length;
    const repaired =
      about === undefined ? ofCall(emitter, type, emitted, out) : emitter.part(about, emitted, out);
    if (orphans.has(item)) astray.set(item.type, (astray.get(item.type) ?? 0) + emitter.written - before);
    return repaired;
  }

  function begin(given: Fields): Fields | null {
    const event = callIds.event(given);
    const item = places.begin(event);
    if (item === null) return null;
    const emitted = called(filledItem(marked(event["item"]), "in_progress"), item.id);
    emitters.set(item, new ItemEmitter(item, emitted));
    return placedAs(event, item, emitted);
  }

  function end(given: Fields, data: string, out: ChatEvent[]): void {
    const event = callIds.event(given);
    const item = places.end(event);
    if (item === null) return;
    const emitted = called(wholeItem(marked(event["item"])), item.id);
    ended.set(item, emitted);
    const emitter = emitters.get(item);
    emitter?.end(emitted, isAstray(emitted), out);
    emitters.delete(item);
    // Count only what is new at the end; the rest was counted in pieces, perhaps as text of another item.
    const whole = fieldsOf(emitted);
    const written = emitter?.written ?? 0;
    const counted = orphans.delete(item) ? takeAstray(item.type, written) : written;
    const unsaid = writtenInItem(whole).slice(counted);
    const uncounted = unsaid.slice(takeAstray(whole["type"], unsaid.length));
    push(ITEM_DONE, membersAs(placedAs(event, item, emitted), given, data), uncounted, out);
  }

  /** How many of `most` characters were already counted for unannounced items. Each is taken only once. */
  function takeAstray(type: unknown, most: number): number {
    const left = astray.get(type) ?? 0;
    const taken = Math.min(left, most);
    if (taken > 0) astray.set(type, left - taken);
    return taken;
  }

  /** Whether text of this type was counted for an unannounced item, and may be this item's own. */
  function isAstray(item: unknown): boolean {
    return (astray.get(fieldsOf(item)["type"]) ?? 0) > 0;
  }

  /** Emits the beginning that a server has left out. */
  function beginUnannounced(about: PartEvent, event: Fields, out: ChatEvent[]): PlacedItem | null {
    const { output_index: index, item_id: id } = event;
    const emitted = begin({ output_index: index, item: { id, ...emptyItem(partIn(about, event)) } });
    if (emitted !== null) out.push(eventOf(ITEM_ADDED, emitted));
    const item = places.items.at(-1) ?? null;
    if (item !== null) orphans.add(item);
    return item;
  }

  /** The whole response with its items as they were streamed; those that have not ended are ended. */
  function withEmitted(response: unknown, out: ChatEvent[]): unknown {
    if (!isFields(response)) return response;
    const { output: given, status } = response;
    const last = places.items.at(-1);
    if (!Array.isArray(given) && places.items.length === 0) return response;
    const output = Array.isArray(given) ? given.map((item) => marked(callIds.item(item))) : [];
    const known = new Map<PlacedItem, unknown>(ended);
    for (const [item, emitter] of emitters) {
      // Only the last item was cut off.
      const isCut = status === "incomplete" && item === last;
      const whole = emitter.whole(isCut ? "incomplete" : "completed");
      known.set(item, isCut ? whole : wholeCall(whole));
    }
    const { items, of } = emittedOutput(wholeItems(output, status), places, known);
    for (const [item, emitter] of emitters) emitter.end(of.get(item), isAstray(of.get(item)), out);
    return { ...response, output: items };
  }

  return {
    emit(given, event, data, out: ChatEvent[]) {
      // A ping of the server, or a name that would forge a line of the stream.
      if (!NAME.test(given)) return;
      const type = usualName(given);
      if (type === ITEM_DONE) return end(event, data, out);
      const emitted = placed(type, event, out);
      if (emitted !== null) push(type, membersAs(emitted, event, data), textIn(type, event), out);
    },
    end(response) {
      const out: ChatEvent[] = [];
      const finish = finishOfResponse(withEmitted(response, out), context);
      return [...out, finish];
    },
  };
}

function ofCall(emitter: ItemEmitter, type: string, event: Fields, out: ChatEvent[]): Fields | null {
  return CALL_EVENTS.has(type) ? emitter.call(type, event, out) : event;
}

/** The text that an event adds to its item. */
function textIn(type: string, { delta }: Fields): string {
  return typeof delta === "string" && !type.startsWith("response.audio") ? delta : "";
}

function placedAs(event: Fields, { index }: PlacedItem, item: unknown): Fields {
  return withField(withField(event, "output_index", index), "item", item);
}

/** Cut out of the data if the event is unchanged. */
function membersAs(emitted: Fields, event: Fields, data: string): string {
  return emitted === event ? membersOf(data, event) : writtenMembers(emitted);
}

function push(type: string, members: string, written: string, out: ChatEvent[]): void {
  if (members !== "") out.push({ type: "wire", event: type, members, written });
}
