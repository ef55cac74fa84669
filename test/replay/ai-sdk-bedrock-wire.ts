import { crc32 } from "node:zlib";
import type { FinishReason } from "../../gateway/src/contract/index.ts";
import {
  type Answer,
  asCount,
  asJson,
  asList,
  asText,
  type Json,
  joinTexts,
  usageOf,
  type WireReader,
} from "./ai-sdk-answer.ts";

const REASONS: Readonly<Record<string, FinishReason>> = {
  max_tokens: "length",
  content_filtered: "content_filter",
  guardrail_intervened: "content_filter",
  tool_use: "tool_calls",
};

export const bedrockWire: WireReader = { stream, parse, eventsOf, read, textOf };

/** Frames of AWS event streams: lengths, their checksum, headers, payload, and the checksum of it all. */
function stream(events: readonly unknown[]): Response {
  const frames = events.flatMap((event) =>
    Object.entries(asJson(event)).map(([type, payload]) => frame(type, JSON.stringify(payload))),
  );
  return new Response(Buffer.concat(frames), {
    headers: { "content-type": "application/vnd.amazon.eventstream" },
  });
}

function frame(type: string, payload: string): Buffer {
  const headers = Buffer.concat(
    [
      [":event-type", type],
      [":content-type", "application/json"],
      [":message-type", "event"],
    ].map(([name = "", value = ""]) => {
      const head = Buffer.from([name.length, ...Buffer.from(name), 7, value.length >> 8, value.length & 255]);
      return Buffer.concat([head, Buffer.from(value)]);
    }),
  );
  const body = Buffer.from(payload);
  const total = 16 + headers.length + body.length;
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(total, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const checked = Buffer.concat([prelude, uint32(crc32(prelude)), headers, body]);
  return Buffer.concat([checked, uint32(crc32(checked))]);
}

/** A truncated frame ends the recording. */
function parse(bytes: Buffer): readonly unknown[] {
  const events: unknown[] = [];
  for (let at = 0; at + 12 <= bytes.length; ) {
    const end = at + bytes.readUInt32BE(at);
    const headersEnd = at + 12 + bytes.readUInt32BE(at + 4);
    if (end > bytes.length) break;
    const headers = bytes.subarray(at + 12, headersEnd).toString("latin1");
    const type = /:(?:event|exception)-type[^a-z]+([A-Za-z]+)/.exec(headers)?.[1] ?? "unknown";
    events.push({ [type]: JSON.parse(bytes.subarray(headersEnd, end - 4).toString("utf8")) });
    at = end;
  }
  return events;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function eventsOf(reply: Json): readonly unknown[] {
  const blocks = asList(asJson(asJson(reply["output"])["message"])["content"]);
  return [
    { messageStart: { role: "assistant" } },
    ...blocks.flatMap((block, contentBlockIndex) => {
      const start =
        "toolUse" in block ? [{ contentBlockStart: { contentBlockIndex, start: startOf(block) } }] : [];
      const deltas = deltasOf(block).map((delta) => ({ contentBlockDelta: { contentBlockIndex, delta } }));
      return [...start, ...deltas, { contentBlockStop: { contentBlockIndex } }];
    }),
    { messageStop: { stopReason: reply["stopReason"] } },
    { metadata: { usage: reply["usage"] } },
  ];
}

function startOf(block: Json): Json {
  const { toolUseId, name } = asJson(block["toolUse"]);
  return { toolUse: { toolUseId, name } };
}

function deltasOf(block: Json): readonly Json[] {
  if ("text" in block) return [{ text: block["text"] }];
  if ("toolUse" in block) return [{ toolUse: { input: JSON.stringify(asJson(block["toolUse"])["input"]) } }];
  const { reasoningText, redactedContent } = asJson(block["reasoningContent"]);
  if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
  const { text, signature } = asJson(reasoningText);
  const said = text === undefined ? [] : [{ reasoningContent: { text } }];
  return signature === undefined ? said : [...said, { reasoningContent: { signature } }];
}

function read(events: readonly unknown[]): Answer | null {
  let [text, reasoning, reason] = ["", "", ""];
  let usage: Json | null = null;
  const calls = new Map<unknown, { name: string; text: string }>();
  for (const event of events.map(asJson)) {
    if (Object.keys(event).some((type) => type.endsWith("Exception"))) return null;
    const start = asJson(event["contentBlockStart"]);
    const opened = asJson(asJson(start["start"])["toolUse"]);
    if ("name" in opened) calls.set(start["contentBlockIndex"], { name: asText(opened["name"]), text: "" });
    const { contentBlockIndex, delta } = asJson(event["contentBlockDelta"]);
    const piece = asJson(delta);
    text += asText(piece["text"]);
    reasoning += asText(asJson(piece["reasoningContent"])["text"]);
    const call = calls.get(contentBlockIndex);
    if (call) call.text += asText(asJson(piece["toolUse"])["input"]);
    reason = asText(asJson(event["messageStop"])["stopReason"]) || reason;
    if ("metadata" in event) usage = asJson(asJson(event["metadata"])["usage"]);
  }
  if (reason === "") return null;
  return {
    text,
    reasoning,
    calls: [...calls.values()].map(({ name, text }) => ({ name, arguments: JSON.parse(text || "{}") })),
    reason: REASONS[reason] ?? (calls.size > 0 ? "tool_calls" : "stop"),
    usage: usage === null ? null : countsOf(usage),
  };
}

function countsOf(usage: Json) {
  const cached = asCount(usage["cacheReadInputTokens"]);
  const written = asCount(usage["cacheWriteInputTokens"]);
  const input = asCount(usage["inputTokens"]) + cached + written;
  return usageOf({ input, output: asCount(usage["outputTokens"]), cached, written });
}

function textOf(reply: Json): string {
  return joinTexts(asList(asJson(asJson(reply["output"])["message"])["content"]), "text");
}
