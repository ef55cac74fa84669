import { parseForeignJson, type SseEvent } from "../../../kit/index.ts";
import type { ChatEvent } from "../../contract.ts";
import { brokeOff, unreadable } from "../decode-chunk.ts";
import type { StreamDecoder } from "../decode-stream.ts";
import type { ReadingContext } from "../reading.ts";
import { finishOfResponse } from "./decode-response.ts";
import type { ThoughtMarker } from "./marked-thoughts.ts";
import { responseFailure } from "./response-failure.ts";
import { membersOf, writtenMembers } from "./response-members.ts";

type Fields = Readonly<Record<string, unknown>>;

const NAME = /^response\.[\w.]+$/;

/** Every event of a response as one of ours; the last one becomes `finish`, whose whole response says it all. */
export function createResponseStreamDecoder(context: ReadingContext, marker: ThoughtMarker): StreamDecoder {
  /** By their index: some servers leave the last event's output empty, and some clients read nothing else. */
  const items = new Map<unknown, unknown>();
  let finish: ChatEvent | null = null;
  let failure: { readonly error: unknown } | null = null;

  function push(named: string, data: string, out: ChatEvent[]): void {
    const event = parse(data);
    const type = typeof event["type"] === "string" ? event["type"] : named;
    let item = event["item"];
    switch (type) {
      case "error":
        throw responseFailure(event["error"] ?? event, context.secrets);
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        finish = finishOfResponse(withItems(marker.response(event["response"]), items), context);
        return;
      case "response.output_item.done":
        item = marker.item(event["item"]);
        items.set(event["output_index"], item);
        break;
      case "response.output_item.added":
        item = marker.item(event["item"]);
        break;
      default:
        if (event["error"]) throw responseFailure(event["error"], context.secrets);
        // A ping of the server's own, or a name that would forge a line of the stream.
        if (!NAME.test(type)) return;
    }
    const members = item === event["item"] ? membersOf(data, event) : writtenMembers({ ...event, item });
    if (members === "") return;
    const { delta } = event;
    const written = typeof delta === "string" && !type.startsWith("response.audio") ? delta : "";
    out.push({ type: "wire", event: type, members, written });
  }

  return {
    get isDone() {
      return finish !== null || failure !== null;
    },
    push(events: readonly SseEvent[]) {
      const out: ChatEvent[] = [];
      try {
        for (const { event, data } of events) {
          if (finish !== null) break;
          if (data !== "" && !data.startsWith("[DONE]")) push(event, data, out);
        }
      } catch (error) {
        failure = { error };
      }
      return out;
    },
    end() {
      if (failure !== null) throw failure.error;
      if (finish === null) throw brokeOff(false);
      return [finish];
    },
  };
}

function withItems(given: unknown, items: ReadonlyMap<unknown, unknown>): unknown {
  if (typeof given !== "object" || given === null || items.size === 0) return given;
  const { output } = given as Fields;
  if (Array.isArray(output) && output.length > 0) return given;
  const ordered = [...items].toSorted(([a], [b]) => Number(a) - Number(b));
  return { ...given, output: ordered.map(([, item]) => item) };
}

function parse(data: string): Fields {
  let event: unknown;
  try {
    event = parseForeignJson(data);
  } catch (error) {
    throw unreadable("an event that is no JSON", error);
  }
  if (typeof event !== "object" || event === null) throw unreadable("an event that is no object");
  return event as Fields;
}
