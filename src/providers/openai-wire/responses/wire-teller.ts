import type { ChatEvent } from "../../contract.ts";
import type { ReadingContext } from "../reading.ts";
import { finishOfResponse } from "./decode-response.ts";
import type { ResponseTeller } from "./decode-response-stream.ts";
import type { ThoughtMarker } from "./marked-thoughts.ts";
import { membersOf, writtenMembers } from "./response-members.ts";

type Fields = Readonly<Record<string, unknown>>;

const NAME = /^response\.[\w.]+$/;
const OF_ITEM: ReadonlySet<string> = new Set(["response.output_item.added", "response.output_item.done"]);

/** Every event of a response as one of ours; the last one becomes `finish`, whose whole response says it all. */
export function createWireTeller(context: ReadingContext, marker: ThoughtMarker): ResponseTeller {
  /** By their index: some servers leave the last event's output empty, and some clients read nothing else. */
  const items = new Map<unknown, unknown>();
  return {
    tell(type, event, data, out: ChatEvent[]) {
      // A ping of the server's own, or a name that would forge a line of the stream.
      if (!NAME.test(type)) return;
      const item = OF_ITEM.has(type) ? marker.item(event["item"]) : event["item"];
      if (type === "response.output_item.done") items.set(event["output_index"], item);
      const members = item === event["item"] ? membersOf(data, event) : writtenMembers({ ...event, item });
      if (members === "") return;
      const { delta } = event;
      const written = typeof delta === "string" && !type.startsWith("response.audio") ? delta : "";
      out.push({ type: "wire", event: type, members, written });
    },
    end: (response) => [finishOfResponse(withItems(marker.response(response), items), context)],
  };
}

function withItems(given: unknown, items: ReadonlyMap<unknown, unknown>): unknown {
  if (typeof given !== "object" || given === null || items.size === 0) return given;
  const { output } = given as Fields;
  if (Array.isArray(output) && output.length > 0) return given;
  const ordered = [...items].toSorted(([a], [b]) => Number(a) - Number(b));
  return { ...given, output: ordered.map(([, item]) => item) };
}
