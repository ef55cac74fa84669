import type { ChatEvent, ChatMessage, ChatRequest, ReasoningMark, WireEvent } from "../../contract/index.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { decodeWhole as decodeWholeReply, type ReadingContext } from "./decode/decode-chunk.ts";
import { createStreamDecoder } from "./decode/decode-stream.ts";
import { encodeRequest } from "./encode/encode-request.ts";
import { encodeWireRequest } from "./passthrough/encode-wire-request.ts";
import type { WireForm } from "./passthrough/wire-form.ts";
import { type Reading, wholeReading, wireReading } from "./reading.ts";
import type { WireVendor } from "./vendor.ts";

type Expectations = Partial<ReadingContext>;

export function expecting(given: Expectations = {}): ReadingContext {
  return {
    n: 1,
    namedTool: false,
    namespace: "acme",
    cachesBeyondPrompt: false,
    mostWithReasoning: 0,
    contentEndings: [],
    secrets: [],
    ...given,
  };
}

/** The events of a stream of these chunks, its end included. */
export function decodeChunks(chunks: readonly unknown[], given: Expectations = {}): readonly ChatEvent[] {
  const decoder = createStreamDecoder(expecting(given));
  const data = chunks.map((chunk) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk)));
  return [...decoder.push(data.map((each) => ({ event: "message", data: each }))), ...decoder.end()];
}

/** The events of one whole reply. */
export function decodeWhole(reply: unknown, given: Expectations = {}): readonly ChatEvent[] {
  return decodeWholeReply(reply, expecting(given));
}

/** A chunk with one delta of the first answer. */
export function delta(
  fields: Readonly<Record<string, unknown>>,
  choice: Readonly<Record<string, unknown>> = {},
) {
  return { choices: [{ index: 0, delta: fields, ...choice }] };
}

/** A turn that calls a tool, in both forms; its id is one that every vendor accepts. */
export const CALL: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "c12345678", name: "look", arguments: "{}" }],
};
export const CALL_ON_WIRE = {
  role: "assistant",
  tool_calls: [{ id: "c12345678", type: "function", function: { name: "look", arguments: "{}" } }],
};

export const STOP = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

/** As for an organization of its own. */
export const sealed = (identity: string): string => `own ${identity}`;

/** The body for a request with these fields. */
export function bodyFor(
  request: Partial<ChatRequest>,
  { vendor = WIRE_VENDORS["openai-wire"], model = "m" }: { vendor?: WireVendor; model?: string } = {},
): Record<string, unknown> {
  const whole = {
    messages: [{ role: "user" as const, content: "hi" }],
    maxOutputTokens: 64,
    sealed,
    ...request,
  };
  return encodeRequest(whole, { vendor, model, namespace: "acme" });
}

/** Marks encrypted text with its provider's name in plain text. */
export const testMark: ReasoningMark = {
  mark: (text, namespace) => `${namespace}:${text}`,
  unmark(text, namespace) {
    const at = text.indexOf(":");
    if (at < 0) return text;
    return text.slice(0, at) === namespace ? text.slice(at + 1) : null;
  },
};

type Json = Readonly<Record<string, unknown>>;

/** What a client of the same wire gets for these chunks: the members of every event, and the end. */
export function wireChunks(
  chunks: readonly unknown[],
  given: Expectations & { form?: Partial<WireForm> } = {},
) {
  const { form, ...expectations } = given;
  return streamed(wireReading(expecting(expectations), { isFirstForm: false, ...form }), chunks);
}

export function streamed(reading: Reading, chunks: readonly unknown[]) {
  const decoder = reading.stream();
  const data = chunks.map((chunk) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk)));
  const events = [...decoder.push(data.map((each) => ({ event: "message", data: each }))), ...decoder.end()];
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("finish is last");
  const wire = events.filter((event): event is WireEvent => event.type === "wire");
  return { wire, finish, chunks: wire.map(({ members }): Json => JSON.parse(`{${members}}`)) };
}

/** The deltas of the first answer. */
export function wireDeltas(
  chunks: readonly unknown[],
  given: Expectations & { form?: Partial<WireForm> } = {},
): Json[] {
  return wireChunks(chunks, given).chunks.map(
    ({ choices }) => (choices as { delta: Json }[])[0]?.delta ?? {},
  );
}

/** One whole reply, repaired. */
export function wholeOf(reply: Json, given: Expectations & { form?: Partial<WireForm> } = {}): Json {
  const { form, ...expectations } = given;
  const events = wholeReading(expecting(expectations), { isFirstForm: false, ...form }).whole(reply);
  const [finish] = events;
  if (finish?.type !== "finish" || events.length > 1) throw new Error("a whole reply is one event");
  return finish.whole ?? {};
}

/** The body that is sent for a client's own body; `neutral` are its messages in neutral form, by default the same. */
export function wireBodyFor(
  body: Json,
  input: {
    vendor?: WireVendor;
    model?: string;
    neutral?: readonly ChatMessage[];
    request?: Partial<ChatRequest>;
  } = {},
): Record<string, unknown> {
  const { vendor = WIRE_VENDORS["openai-wire"], model = "m", request = {} } = input;
  const messages = (body["messages"] ?? [{ role: "user", content: "hi" }]) as readonly ChatMessage[];
  const neutral = input.neutral ?? messages;
  const wire = { kind: "chat_completions" as const, body: { ...body, messages } };
  const whole: ChatRequest = { messages: neutral, maxOutputTokens: 64, wire, sealed, ...request };
  return encodeWireRequest(whole, wire, { vendor, model, namespace: "acme" });
}
