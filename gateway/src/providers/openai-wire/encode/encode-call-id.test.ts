import { describe, expect, test } from "bun:test";
import type { ChatMessage, ChatRequest, WireRequest } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { encodeWireRequest } from "../passthrough/encode-wire-request.ts";
import { encodeChatAsResponse } from "../responses/encode-chat-as-response.ts";
import { encodeResponseRequest } from "../responses/encode-response-request.ts";
import type { WireVendor } from "../vendor.ts";
import { encodeRequest } from "./encode-request.ts";

const { openai, azure, groq, openrouter, "openai-wire": other } = WIRE_VENDORS;
const STRICT = [openai, azure];
const ELSEWHERE = [groq, openrouter, other];

const targetOf = (vendor: WireVendor) => ({ vendor, model: "gpt-4.1", namespace: "acme" });

const call = (id: string) => ({ id, name: "f", arguments: "{}" });
const talk = (...ids: string[]): ChatMessage[] => [
  { role: "user", content: "Go." },
  { role: "assistant", content: null, toolCalls: ids.map(call) },
  ...ids.map((toolCallId) => ({ role: "tool", toolCallId, content: "1" }) as const),
];

const wireTalk = (...ids: string[]) => [
  { role: "user", content: "Go." },
  {
    role: "assistant",
    content: null,
    tool_calls: ids.map((id, at) =>
      at === 0
        ? { id, type: "function", function: { name: "f", arguments: "{}" } }
        : { id, type: "custom", custom: { name: "f", input: "x" } },
    ),
  },
  ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "1" })),
];

const requestOf = (messages: readonly ChatMessage[]): ChatRequest => ({ messages, maxOutputTokens: 64 });

type Ids = { readonly calls: readonly unknown[]; readonly results: readonly unknown[] };

function idsIn({ messages }: Record<string, unknown>): Ids {
  const [, turn, ...results] = messages as [unknown, { tool_calls: { id: string }[] }, ...object[]];
  return {
    calls: turn.tool_calls.map(({ id }) => id),
    results: results.map((result) => (result as { tool_call_id: string }).tool_call_id),
  };
}

function itemIdsIn({ input }: Record<string, unknown>): Ids {
  const items = (input as { type: string; call_id?: string }[]).filter((item) => item.call_id !== undefined);
  const isResult = ({ type }: { type: string }) => type.endsWith("_output");
  return {
    calls: items.filter((item) => !isResult(item)).map((item) => item.call_id),
    results: items.filter(isResult).map((item) => item.call_id),
  };
}

function inNeutralWords(vendor: WireVendor, ...ids: string[]): Ids {
  return idsIn(encodeRequest(requestOf(talk(...ids)), targetOf(vendor)));
}

function inItsOwnWords(vendor: WireVendor, ...ids: string[]): Ids {
  const wire: WireRequest = { kind: "chat_completions", body: { messages: wireTalk(...ids) } };
  return idsIn(encodeWireRequest(requestOf(talk(...ids)), wire, targetOf(vendor)));
}

function asResponse(vendor: WireVendor, ...ids: string[]): Ids {
  return itemIdsIn(encodeChatAsResponse(requestOf(talk(...ids)), targetOf(vendor)));
}

const itemsOf = (ids: readonly string[]) => [
  { role: "user", content: "Go." },
  ...ids.flatMap((id, at): object[] =>
    at === 0
      ? [
          { type: "function_call", call_id: id, name: "f", arguments: "{}" },
          { type: "function_call_output", call_id: id, output: "1" },
        ]
      : [
          { type: "custom_tool_call", call_id: id, name: "f", input: "x" },
          { type: "custom_tool_call_output", call_id: id, output: "1" },
        ],
  ),
];

function passedOn(vendor: WireVendor, ...ids: string[]): Record<string, unknown> {
  const wire: WireRequest = { kind: "responses", body: { input: itemsOf(ids) } };
  return encodeResponseRequest(requestOf([]), wire, targetOf(vendor));
}

const FORTY = "x".repeat(40);
const SIXTY_FOUR = "x".repeat(64);
const OWN = /^call_[0-9a-f]{32}$/;

describe("a call id that is too long for OpenAI's chat completions", () => {
  test.each([
    ["a neutral request", inNeutralWords],
    ["passed-through messages", inItsOwnWords],
  ])("is replaced in the call and its result; ids of 40 characters stay: %s", (_, encode) => {
    for (const vendor of STRICT) {
      const { calls, results } = encode(vendor, `chatcmpl-tool-${"0".repeat(32)}`, `${FORTY}y`);
      expect(calls).toEqual([expect.stringMatching(OWN), expect.stringMatching(OWN)]);
      expect(calls[0]).not.toBe(calls[1]);
      expect(results).toEqual(calls);
      expect(encode(vendor, FORTY, "call_2")).toEqual({
        calls: [FORTY, "call_2"],
        results: [FORTY, "call_2"],
      });
    }
  });

  test("is sent unchanged to other vendors", () => {
    for (const vendor of ELSEWHERE) {
      const same = { calls: [`${FORTY}y`], results: [`${FORTY}y`] };
      expect(inNeutralWords(vendor, `${FORTY}y`)).toEqual(same);
      expect(inItsOwnWords(vendor, `${FORTY}y`)).toEqual(same);
    }
  });
});

describe("a call id that is too long for OpenAI's Responses API", () => {
  test.each([
    ["a chat completion", asResponse],
    ["passed-through items", (...given: [WireVendor, ...string[]]) => itemIdsIn(passedOn(...given))],
  ])("is replaced in the call and its result; ids of 64 characters stay: %s", (_, encode) => {
    for (const vendor of STRICT) {
      const { calls, results } = encode(vendor, `${SIXTY_FOUR}y`, `${SIXTY_FOUR}z`);
      expect(calls).toEqual([expect.stringMatching(OWN), expect.stringMatching(OWN)]);
      expect(calls[0]).not.toBe(calls[1]);
      expect(results).toEqual(calls);
      expect(encode(vendor, SIXTY_FOUR).calls).toEqual([SIXTY_FOUR]);
    }
  });

  test("is sent unchanged to other vendors", () => {
    for (const vendor of ELSEWHERE)
      expect(passedOn(vendor, `${SIXTY_FOUR}y`)["input"]).toEqual(itemsOf([`${SIXTY_FOUR}y`]));
  });
});
