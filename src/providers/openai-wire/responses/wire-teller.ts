import type { ChatEvent } from "../../contract.ts";
import type { ReadingContext } from "../reading.ts";
import { finishOfResponse } from "./decode-response.ts";
import type { ResponseTeller } from "./decode-response-stream.ts";
import { ItemPlaces, type PlacedItem } from "./item-places.ts";
import { CALL_EVENTS, eventOf, ItemTelling, withField } from "./item-telling.ts";
import type { ThoughtMarker } from "./marked-thoughts.ts";
import { emptyItem, PART_EVENTS, type PartEvent, partIn } from "./part-events.ts";
import { membersOf, writtenMembers } from "./response-members.ts";
import { called, toldOutput } from "./told-output.ts";
import { wholeCall, wholeCalls } from "./whole-call.ts";

type Fields = Readonly<Record<string, unknown>>;

const NAME = /^response\.[\w.]+$/;
const ITEM_ADDED = "response.output_item.added";
const ITEM_DONE = "response.output_item.done";
/** Told to nobody, but counted. */
const UNTOLD = "";

/** Every event of a response as one of ours; the last one becomes `finish`, whose whole response says it all. */
export function createWireTeller(context: ReadingContext, marker: ThoughtMarker): ResponseTeller {
  const places = new ItemPlaces();
  /** Of the items that are open. */
  const tellings = new Map<PlacedItem, ItemTelling>();
  /** Some servers leave the last event's output empty, and some clients read nothing else. */
  const ended = new Map<PlacedItem, unknown>();

  /** The event as it is told: of one item in one place under one name. Null: nobody needs it. */
  function placed(type: string, event: Fields, out: ChatEvent[]): Fields | null {
    if (type === ITEM_ADDED) return begin(event);
    if (type === ITEM_DONE) return end(event, out);
    const about = PART_EVENTS.get(type);
    const isNamed = about !== undefined || CALL_EVENTS.has(type) || event["item_id"] !== undefined;
    if (!isNamed && event["output_index"] === undefined) return event;
    const item = places.of(event) ?? (about === undefined ? null : beginUntold(about, event, out));
    // Of what else has not begun nobody knows what it is; it is told in whole once it is there.
    if (item === null) return null;
    // Of hosted tools some events say no name, though their items have one.
    const hasName = isNamed || item.names.length === 0;
    const numbered = withField(event, "output_index", item.index);
    const told = hasName ? withField(numbered, "item_id", item.id) : numbered;
    const telling = tellings.get(item);
    if (telling === undefined) return told;
    if (about !== undefined) return telling.part(about, told, out);
    return CALL_EVENTS.has(type) ? telling.call(type, told) : told;
  }

  function begin(event: Fields): Fields | null {
    const item = places.begin(event);
    if (item === null) return null;
    const told = called(marker.item(event["item"]), item.id);
    tellings.set(item, new ItemTelling(item, told));
    return withField(withField(event, "output_index", item.index), "item", told);
  }

  function end(event: Fields, out: ChatEvent[]): Fields | null {
    const item = places.end(event);
    if (item === null) return null;
    const told = called(wholeCall(marker.item(event["item"])), item.id);
    ended.set(item, told);
    tellings.get(item)?.end(told, out);
    tellings.delete(item);
    return withField(withField(event, "output_index", item.index), "item", told);
  }

  /** The beginning that a server has left out. */
  function beginUntold(about: PartEvent, event: Fields, out: ChatEvent[]): PlacedItem | null {
    const { output_index: index, item_id: id } = event;
    const told = begin({ output_index: index, item: { id, ...emptyItem(partIn(about, event)) } });
    if (told !== null) out.push(eventOf(ITEM_ADDED, told));
    return places.items.at(-1) ?? null;
  }

  /** The whole response with its items as they were told; those that nobody has ended are ended. */
  function withTold(given: unknown, out: ChatEvent[]): unknown {
    if (typeof given !== "object" || given === null) return given;
    const { output, status } = given as Fields;
    const last = places.items.at(-1);
    if (!Array.isArray(output) && places.items.length === 0) return given;
    const known = new Map<PlacedItem, unknown>(ended);
    for (const [item, telling] of tellings) {
      // Only what came last was cut off.
      const isCut = status === "incomplete" && item === last;
      const whole = telling.whole(isCut ? "incomplete" : "completed");
      known.set(item, isCut ? whole : wholeCall(whole));
    }
    const { items, of } = toldOutput(Array.isArray(output) ? wholeCalls(output, status) : [], places, known);
    for (const [item, telling] of tellings) telling.end(of.get(item), out);
    return { ...given, output: items };
  }

  return {
    tell(type, event, data, out: ChatEvent[]) {
      // A ping of the server's own, or a name that would forge a line of the stream.
      if (!NAME.test(type)) return;
      const { delta } = event;
      const written = typeof delta === "string" && !type.startsWith("response.audio") ? delta : "";
      const told = placed(type, event, out);
      if (told === null) {
        if (written !== "") out.push({ type: "wire", event: UNTOLD, members: "", written });
        return;
      }
      const members = told === event ? membersOf(data, event) : writtenMembers(told);
      if (members !== "") out.push({ type: "wire", event: type, members, written });
    },
    end(response) {
      const out: ChatEvent[] = [];
      const finish = finishOfResponse(withTold(marker.response(response), out), context);
      return [...out, finish];
    },
  };
}
