import { expect } from "bun:test";
import {
  readResponseStream,
  type StreamedResponse,
} from "../../../../../test/conformance/response-events.ts";
import type { ChatEvent, FinishReason } from "../../../contract/index.ts";
import type { ChatStreamPart } from "../../../generation/index.ts";
import { paidFor, REQUEST_ID } from "../chat/chat-testing.ts";
import { createCallSeal } from "../sealed/sealed-call-id.ts";
import { createReasoningSeal } from "../sealed/sealed-reasoning.ts";
import type { ItemSeals } from "./decode/decode-item.ts";
import { decodeResponseRequest, type ResponseFields } from "./decode/decode-request.ts";
import { createItemMaker } from "./output-item.ts";
import { createResponseObject } from "./response-object.ts";
import { createResponseEncoder } from "./stream/response-encoder.ts";

/** For tests of how responses are read and written. */
export const seals: ItemSeals = {
  callSeal: createCallSeal("a secret for tests"),
  reasoningSeal: createReasoningSeal("a secret for tests"),
};

export const MAX_ITEMS = 5;

type Json = Readonly<Record<string, unknown>>;

export function decode(body: Json): ResponseFields {
  return decodeResponseRequest({ model: "m", ...body }, { seals, maxItems: MAX_ITEMS });
}

const TOOLS = [
  { type: "function", name: "f" },
  { type: "custom", name: "patch" },
  { type: "tool_search", execution: "client" },
  { type: "namespace", name: "n", tools: [{ type: "function", name: "g" }] },
];

/** What encodes the answer to a request with these fields. */
export function formsFor(body: Json = {}) {
  const { settings, table } = decode({ input: "hi", tools: TOOLS, ...body });
  const keepsReasoning = (settings.include ?? []).length > 0;
  return {
    object: createResponseObject({ requestId: REQUEST_ID, model: "acme-chat", settings, maxTokens: 100 }),
    maker: createItemMaker({ requestId: REQUEST_ID, table, seals, keepsReasoning }),
  };
}

/** The parts of a stream as they are sent. */
export function written(parts: readonly ChatStreamPart[], body?: Json): string {
  const { object, maker } = formsFor(body);
  const encoder = createResponseEncoder(object, maker);
  const events = parts.flatMap((part) => encoder.encode(part));
  for (const event of events) expect(event.indexOf("\n\n")).toBe(event.length - 2);
  return events.join("");
}

/** The same as a client reads them. */
export function streamed(parts: readonly ChatStreamPart[], body?: Json): StreamedResponse {
  return readResponseStream(written(parts, body));
}

export function outputIn(response: Json): readonly Json[] {
  return response["output"] as readonly Json[];
}

export const events = (...list: ChatEvent[]): ChatStreamPart => ({ type: "events", events: list });
export const finish = (reason: FinishReason = "stop"): ChatEvent => ({ type: "finish", reason, usage: null });
export const done = (finishReason: FinishReason = "stop", wire: Json | null = null): ChatStreamPart => ({
  type: "done",
  paid: paidFor([], { finishReason, wire }),
});
export const text = (said: string): ChatEvent => ({ type: "text", text: said });
export const start = (call: number, name: string, id = `c${call}`): ChatEvent => ({
  type: "tool_start",
  call,
  id,
  name,
});
export const argumentsOf = (call: number, said: string): ChatEvent => ({
  type: "tool_arguments",
  call,
  text: said,
});
