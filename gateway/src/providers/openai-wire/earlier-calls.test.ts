import { describe, expect, test } from "bun:test";
import type { ChatEvent, ChatMessage, ChatRequest, WireRequest } from "../../contract/index.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createAddress } from "./address.ts";
import { decodeReply } from "./decode/decode-reply.ts";
import { exchangeOf } from "./exchange.ts";
import type { Reading } from "./reading.ts";
import type { WireVendor } from "./vendor.ts";

const { openai, openrouter, "openai-wire": other } = WIRE_VENDORS;
type Json = Readonly<Record<string, unknown>>;

const turnOf = (...ids: string[]): ChatMessage[] => [
  { role: "assistant", content: null, toolCalls: ids.map((id) => ({ id, name: "f", arguments: "{}" })) },
  ...ids.map((toolCallId) => ({ role: "tool", toolCallId, content: "1" }) as const),
];

/** How answers are read after these messages; the client's own body does not matter here. */
function readingOf(
  messages: readonly ChatMessage[],
  { kind, vendor, ...more }: Partial<ChatRequest> & { kind?: WireRequest["kind"]; vendor: WireVendor },
): Reading {
  const given = messages.map(() => ({ role: "user", content: "hi" }));
  const wire: WireRequest | undefined = kind && { kind, body: { messages: given, input: "hi" } };
  const settings = { name: "acme", kind: null, baseUrl: "http://127.0.0.1:1/v1", apiKey: "k" };
  const request = { messages, maxOutputTokens: 64, ...(wire && { wire }), ...more };
  const target = { vendor, model: "gpt-5.6", namespace: "acme" };
  return exchangeOf(request, target, createAddress(settings, vendor)).reading;
}

function streamed(reading: Reading, events: readonly Json[]): readonly ChatEvent[] {
  const decoder = reading.stream();
  const data = events.map((event) => ({ event: "message", data: JSON.stringify(event) }));
  return [...decoder.push(data), ...decoder.end()];
}

/** The ids in these events, in either form, each once. */
function idsIn(events: readonly ChatEvent[], name: "id" | "call_id"): readonly string[] {
  const text = events
    .map((event) => (event.type === "wire" ? `{${event.members}}` : JSON.stringify(event)))
    .join("\n");
  const found = text.matchAll(new RegExp(`"${name}":"((?:\\w+:\\d+|call_\\w+))"`, "g"));
  return [...new Set([...found].map(([, id]) => id ?? ""))];
}

const call = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });

function chunksOf(ids: readonly string[]): readonly Json[] {
  const calls = ids.map((id, index) => ({ index, ...call(id) }));
  return [
    ...calls.map((each) => ({ choices: [{ index: 0, delta: { tool_calls: [each] } }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  ];
}

function replyOf(ids: readonly string[]): string {
  const message = { role: "assistant", content: null, tool_calls: ids.map(call) };
  return JSON.stringify({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
}

const itemOf = (id: string, at: number) => ({
  type: "function_call",
  id: `fc_${at}`,
  call_id: id,
  name: "f",
  arguments: "{}",
  status: "completed",
});
const responseOf = (ids: readonly string[]) => ({
  object: "response",
  status: "completed",
  output: ids.map(itemOf),
});

function eventsOf(ids: readonly string[]): readonly Json[] {
  const itemEvents = (["added", "done"] as const).flatMap((end) =>
    ids.map((id, at) => ({
      type: `response.output_item.${end}`,
      output_index: at,
      item: itemOf(id, at),
    })),
  );
  return [...itemEvents, { type: "response.completed", response: responseOf(ids) }];
}

const TOOLS = { tools: [{ name: "f" }] };
const CHAT = { kind: "chat_completions" } as const;
const RESPONSES = { kind: "responses", vendor: openrouter } as const;

type Told = (earlier: readonly ChatMessage[], ids: readonly string[]) => readonly string[];
const WAYS: readonly (readonly [string, Told])[] = [
  ["neutral", (earlier, ids) => idsIn(streamed(readingOf(earlier, { vendor: other }), chunksOf(ids)), "id")],
  [
    "neutral, in one piece",
    (earlier, ids) => idsIn(decodeReply(replyOf(ids), readingOf(earlier, { vendor: other })), "id"),
  ],
  [
    "passed through",
    (earlier, ids) => idsIn(streamed(readingOf(earlier, { ...CHAT, vendor: other }), chunksOf(ids)), "id"),
  ],
  [
    "passed through, in one piece",
    (earlier, ids) => {
      const reading = readingOf(earlier, { ...CHAT, vendor: other, inOnePiece: true });
      return idsIn(decodeReply(replyOf(ids), reading), "id");
    },
  ],
  [
    "from the Responses API for a chat completion",
    (earlier, ids) => idsIn(streamed(readingOf(earlier, { ...TOOLS, vendor: openai }), eventsOf(ids)), "id"),
  ],
  [
    "from the Responses API for a chat completion, in one piece",
    (earlier, ids) => {
      const reading = readingOf(earlier, { ...TOOLS, vendor: openai });
      return idsIn(decodeReply(JSON.stringify(responseOf(ids)), reading), "id");
    },
  ],
  [
    "of a response",
    (earlier, ids) => idsIn(streamed(readingOf(earlier, RESPONSES), eventsOf(ids)), "call_id"),
  ],
  [
    "of a response, in one piece",
    (earlier, ids) =>
      idsIn(decodeReply(JSON.stringify(responseOf(ids)), readingOf(earlier, RESPONSES)), "call_id"),
  ],
];

describe.each(WAYS)("tool calls of an answer, %s", (_, told) => {
  test("get the next numbers if the server numbers them from 0 again in every turn", () => {
    const earlier = [...turnOf("f:0", "g:1"), ...turnOf("f:2")];
    expect(told(earlier, ["f:0", "g:1"])).toEqual(["f:3", "g:4"]);
    expect(told(turnOf("f:0", "f:2"), ["f:0"])).toEqual(["f:3"]);
    expect(told(turnOf("f:0"), ["f:0", "f:1"])).toEqual(["f:1", "f:2"]);
  });

  test("get a generated id if an earlier call has theirs and it is not numbered", () => {
    const [own, kept] = told(turnOf("call_1"), ["call_1", "call_2"]);
    expect(own).toMatch(/^call_[0-9a-f]{32}$/);
    expect(kept).toBe("call_2");
  });

  test("keep ids that no earlier call has", () => {
    expect(told(turnOf("f:0"), ["f:1", "g:0", "call_1"])).toEqual(["f:1", "g:0", "call_1"]);
    expect(told([{ role: "user", content: "f:0" }], ["f:0"])).toEqual(["f:0"]);
  });
});
