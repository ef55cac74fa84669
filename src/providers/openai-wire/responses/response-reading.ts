import type { ChatEvent, ReasoningMark, WireEvent } from "../../contract.ts";
import type { SseOptions } from "../../outbound/index.ts";
import type { Reading, ReadingContext } from "../reading.ts";
import { finishOfResponse } from "./decode-response.ts";
import { createResponseStreamDecoder } from "./decode-response-stream.ts";
import { createThoughtMarker } from "./marked-thoughts.ts";

/** Three events repeat the request's instructions and tools, so one may be as long as the longest request. */
const BOUNDS: SseOptions = {
  maxLineLength: 40 << 20,
  maxEventLength: 40 << 20,
  lastEvents: new Set(["response.completed", "response.incomplete", "response.failed"]),
};

type Fields = Readonly<Record<string, unknown>>;

/** A response in the words of its wire; in one piece it still tells of its items, which some clients wait for. */
export function responseReading(context: ReadingContext, inOnePiece: boolean, mark?: ReasoningMark): Reading {
  const marker = createThoughtMarker(context.namespace, mark);
  return {
    bounds: BOUNDS,
    stream: () => createResponseStreamDecoder(context, marker),
    whole(given) {
      const reply = marker.response(given) as Fields;
      const finish = finishOfResponse(reply, context);
      return inOnePiece ? [finish] : [...eventsOf(reply), finish];
    },
  };
}

function eventsOf(response: Fields): ChatEvent[] {
  const output = response["output"] as readonly Fields[];
  const open = { response: { ...response, status: "in_progress", output: [], usage: null } };
  return [
    told("response.created", open),
    told("response.in_progress", open),
    ...output.flatMap((item, at) => [
      told("response.output_item.added", { output_index: at, item: { ...item, status: "in_progress" } }),
      told("response.output_item.done", { output_index: at, item }),
    ]),
  ];
}

/** Nothing is written in one of these: the whole response that follows says all of it. */
function told(event: string, fields: Fields): WireEvent {
  return { type: "wire", event, members: JSON.stringify(fields).slice(1, -1), written: "" };
}
