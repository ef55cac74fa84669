import type { ChatEvent, ChatRequest } from "../contract.ts";
import { createChunkDecoder, type DecodeContext } from "./decode-chunk.ts";
import { createStreamDecoder } from "./decode-stream.ts";
import { encodeRequest } from "./encode-request.ts";
import type { WireVendor } from "./vendor.ts";
import { WIRE_VENDORS } from "./vendors.ts";

type Expectations = Partial<Omit<DecodeContext, "whole">>;

export function expecting(given: Expectations = {}): Omit<DecodeContext, "whole"> {
  return { n: 1, namedTool: false, namespace: "acme", cachesBeyondPrompt: false, secrets: [], ...given };
}

/** The events of a stream of these chunks, its end included. */
export function decodeChunks(chunks: readonly unknown[], given: Expectations = {}): readonly ChatEvent[] {
  const decoder = createStreamDecoder(expecting(given));
  const data = chunks.map((chunk) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk)));
  return [...decoder.push(data.map((each) => ({ event: "message", data: each }))), ...decoder.end()];
}

/** The events of one whole reply. */
export function decodeWhole(reply: unknown, given: Expectations = {}): readonly ChatEvent[] {
  const out: ChatEvent[] = [];
  const decoder = createChunkDecoder({ ...expecting(given), whole: true });
  decoder.push(reply, out);
  decoder.end(out);
  return out;
}

/** A chunk with one delta of the first answer. */
export function delta(
  fields: Readonly<Record<string, unknown>>,
  choice: Readonly<Record<string, unknown>> = {},
) {
  return { choices: [{ index: 0, delta: fields, ...choice }] };
}

export const STOP = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

/** The body for a request with these fields. */
export function bodyFor(
  request: Partial<ChatRequest>,
  { vendor = WIRE_VENDORS["openai-wire"], model = "m" }: { vendor?: WireVendor; model?: string } = {},
): Record<string, unknown> {
  const whole = { messages: [{ role: "user" as const, content: "hi" }], maxOutputTokens: 64, ...request };
  return encodeRequest(whole, { vendor, model, namespace: "acme" });
}
