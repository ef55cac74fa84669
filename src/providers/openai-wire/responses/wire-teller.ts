import type { ChatEvent } from "../../contract.ts";
import type { ReadingContext } from "../reading.ts";
import { finishOfResponse } from "./decode-response.ts";
import type { ResponseTeller } from "./decode-response-stream.ts";
import { ItemPlaces } from "./item-places.ts";
import type { ThoughtMarker } from "./marked-thoughts.ts";
import { membersOf, writtenMembers } from "./response-members.ts";
import { isBlank, NO_ARGUMENTS, wholeCall, withWholeCalls } from "./whole-call.ts";

type Fields = Readonly<Record<string, unknown>>;

const NAME = /^response\.[\w.]+$/;
const ITEM_ADDED = "response.output_item.added";
const ITEM_DONE = "response.output_item.done";
const ARGUMENTS_DONE = "response.function_call_arguments.done";
const ARGUMENTS_DELTA = "response.function_call_arguments.delta";
const TEXT_DELTA = "response.output_text.delta";
const PART_ADDED = "response.content_part.added";
/** Told to nobody, but counted. */
const UNTOLD = "";

/** Every event of a response as one of ours; the last one becomes `finish`, whose whole response says it all. */
export function createWireTeller(context: ReadingContext, marker: ThoughtMarker): ResponseTeller {
  /** By their place: some servers leave the last event's output empty, and some clients read nothing else. */
  const items = new Map<number, unknown>();
  const places = new ItemPlaces();

  /** The event with its item as it is told, and the item's place. Null: nobody needs it. */
  function placed(type: string, event: Fields, out: ChatEvent[]): Fields | null {
    if (type !== ITEM_ADDED && type !== ITEM_DONE) {
      if (event["output_index"] === undefined) return event;
      const index = places.of(event) ?? beginMessage(type, event, out);
      // Of what else has not begun nobody knows what it is; it is told in whole once it is there.
      return index === null ? null : moved(event, index);
    }
    const marked = marker.item(event["item"]);
    const isDone = type === ITEM_DONE;
    const item = isDone ? wholeCall(marked) : marked;
    const index = isDone ? places.end(event) : places.begin(event);
    if (index === null) return null;
    if (isDone) items.set(index, item);
    return moved(item === event["item"] ? event : { ...event, item }, index);
  }

  /** The beginning that a server has left out. */
  function beginMessage(type: string, event: Fields, out: ChatEvent[]): number | null {
    if (type !== TEXT_DELTA && type !== PART_ADDED) return null;
    const index = places.begin(event);
    const { item_id: id = `msg_${index}`, content_index = 0 } = event;
    const item = { id, type: "message", status: "in_progress", role: "assistant", content: [] };
    out.push(eventOf(ITEM_ADDED, { output_index: index, item }));
    if (type === TEXT_DELTA) {
      const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
      out.push(eventOf(PART_ADDED, { item_id: id, output_index: index, content_index, part }));
    }
    return index;
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
      if (type === ARGUMENTS_DONE && isBlank(event["arguments"])) {
        const { arguments: _, ...place } = told;
        out.push(eventOf(ARGUMENTS_DELTA, { ...place, delta: NO_ARGUMENTS }));
        out.push(eventOf(type, { ...told, arguments: NO_ARGUMENTS }));
        return;
      }
      const members = told === event ? membersOf(data, event) : writtenMembers(told);
      if (members !== "") out.push({ type: "wire", event: type, members, written });
    },
    end: (response) => {
      const whole = withItems(marker.response(response), inOrder(items));
      return [finishOfResponse(withWholeCalls(whole), context)];
    },
  };
}

function eventOf(event: string, fields: Fields): ChatEvent {
  return { type: "wire", event, members: writtenMembers(fields), written: "" };
}

function moved(event: Fields, index: number): Fields {
  return event["output_index"] === index ? event : { ...event, output_index: index };
}

function withItems(given: unknown, items: readonly unknown[]): unknown {
  if (typeof given !== "object" || given === null || items.length === 0) return given;
  const { output } = given as Fields;
  return Array.isArray(output) && output.length > 0 ? given : { ...given, output: items };
}

function inOrder(items: ReadonlyMap<number, unknown>): readonly unknown[] {
  return [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
}
