import { expect, test } from "bun:test";
import { ProviderFailure } from "../../../contract/index.ts";
import { quote } from "../../../generation/chat-call-testing.ts";
import type { ChatPrompt } from "../../../generation/index.ts";
import { credits } from "../../../kit/index.ts";
import { exchangeOf } from "../../../providers/openai-wire/exchange.ts";
import { WIRE_VENDORS, type WireVendorName } from "../../../providers/wire-vendors-testing.ts";
import { decodeChat } from "../chat/chat-decode.ts";
import { callSeal } from "../chat/chat-testing.ts";
import { decodeResponseRequest } from "../responses/decode/decode-request.ts";
import { seals } from "../responses/testing.ts";

/** What a call's input counts as where no usage is reported: by its wire, by what went out, and to whom. */

const FIRST = "The answer must be somewhere in the second file. ".repeat(8);
const SECOND = "So that one is read before anything else is said. ".repeat(8);
const SHOWN = "Look at all the files of this folder, one after the other. ".repeat(8);
const HIDDEN = "A document that only this server knows how to find. ".repeat(40);
const SEALED = Buffer.from(HIDDEN).toString("base64");

const user = { role: "user", content: SHOWN };
const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: '{"at":1}' } });
const told = (id: string) => ({ role: "tool", tool_call_id: id, content: SHOWN });
const signed = callSeal.seal("call_1", `openai/${SEALED}`, [{ text: FIRST, signature: `openai/${SEALED}` }]);
const detail = (text: string) => ({ type: "reasoning.text", text });
const tool = { name: "read", description: SHOWN, parameters: { type: "object", properties: {} } };

const CHATS: Readonly<Record<string, object>> = {
  plain: { messages: [user], temperature: 0 },
  tools: { messages: [user], tools: [{ type: "function", function: tool }] },
  "reasoning, once": {
    messages: [user, { role: "assistant", content: "Well.", reasoning_content: FIRST }, user],
  },
  "reasoning, under both names": {
    messages: [
      user,
      { role: "assistant", content: "Well.", reasoning_content: FIRST, reasoning: FIRST },
      user,
    ],
  },
  "reasoning, in two turns": {
    messages: [
      user,
      { role: "assistant", content: null, reasoning_content: FIRST, tool_calls: [call("call_1")] },
      told("call_1"),
      { role: "assistant", content: null, reasoning_content: SECOND, tool_calls: [call("call_2")] },
      told("call_2"),
    ],
  },
  "reasoning, in two turns and a new question": {
    messages: [
      user,
      { role: "assistant", content: null, reasoning_content: FIRST, tool_calls: [call("call_1")] },
      told("call_1"),
      { role: "assistant", content: SECOND, reasoning_content: SECOND },
      user,
    ],
  },
  "reasoning with details": {
    messages: [
      user,
      {
        ...{ role: "assistant", content: "Well.", reasoning: FIRST + SECOND },
        reasoning_details: [detail(FIRST), detail(SECOND)],
      },
      user,
    ],
  },
  "reasoning with details, under both names": {
    messages: [
      user,
      {
        ...{
          role: "assistant",
          content: "Well.",
          reasoning: FIRST + SECOND,
          reasoning_content: FIRST + SECOND,
        },
        reasoning_details: [detail(FIRST), detail(SECOND)],
      },
      user,
    ],
  },
  "a long id": {
    messages: [user, { role: "assistant", content: null, tool_calls: [call(SEALED)] }, told(SEALED)],
  },
  "reasoning, sealed in an id": {
    messages: [user, { role: "assistant", content: null, tool_calls: [call(signed)] }, told(signed)],
  },
  "a field that we do not know": { messages: [user], documents: [{ text: HIDDEN }] },
  "that field, with text that is shown as well": {
    messages: [user],
    documents: [{ text: SHOWN.repeat(4) }, SHOWN],
  },
  "fields that no model reads": { messages: [user], metadata: { text: HIDDEN }, user: HIDDEN },
  "a part that we do not know": {
    messages: [{ role: "user", content: [{ type: "text", text: SHOWN, note: HIDDEN }] }],
  },
};

const item = (id: string) => ({ type: "function_call", call_id: id, name: "read", arguments: '{"at":1}' });
const output = (id: string) => ({ type: "function_call_output", call_id: id, output: SHOWN });
const thought = (text: string) => ({
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text }],
});

const RESPONSES: Readonly<Record<string, object>> = {
  plain: { input: SHOWN, instructions: "Be brief." },
  tools: { input: [user], tools: [{ type: "function", ...tool }] },
  "reasoning, as words": { input: [user, thought(FIRST), item("call_1"), output("call_1")] },
  "reasoning, encrypted": {
    input: [user, { ...thought(FIRST), encrypted_content: SEALED }, item("call_1"), output("call_1")],
  },
  "a long id": { input: [user, item(SEALED), output(SEALED)] },
  "an item that we do not know": { input: [user, { type: "memo", text: HIDDEN }] },
  compaction: { input: [user, { type: "compaction", id: "cmp_1", encrypted_content: SEALED }] },
  "fields that no model reads": { input: [user], metadata: { text: HIDDEN }, prompt_cache_key: HIDDEN },
};

const VENDORS = ["openai", "deepseek", "openrouter", "mistral", "openai-wire"] as const;

const address = {
  secrets: [],
  responsesUrl: "https://acme.example/r",
  chatUrl: () => "https://acme.example/c",
};

/** As a provider of one of OpenAI's wires receives it; null if it is refused. */
function sentTo(vendor: WireVendorName, prompt: ChatPrompt): number | null {
  const chat = quote(prompt);
  const request = chat.requestFor(credits(1_000_000), "reply");
  const target = { vendor: WIRE_VENDORS[vendor], model: "m", namespace: vendor };
  try {
    request.wire?.onSent?.(exchangeOf(request, target, address as never).body);
  } catch (error) {
    if (error instanceof ProviderFailure) return null;
    throw error;
  }
  return chat.input.tokensAsSent();
}

/** `null` is a provider of another wire, `{}` one that got it without any reasoning. */
function sentAs(body: object | null, prompt: ChatPrompt): number {
  const chat = quote(prompt);
  chat.requestFor(credits(1_000_000), "reply").wire?.onSent?.(body as never);
  return chat.input.tokensAsSent();
}

const rowOf = (prompt: ChatPrompt) =>
  [...VENDORS.map((vendor) => sentTo(vendor, prompt)), sentAs(null, prompt), sentAs({}, prompt)]
    .map(String)
    .join(" ");

const chatOf = (body: object) => decodeChat({ model: "m", ...body }, { maxMessages: 10, callSeal }).prompt;
const responseOf = (body: object) =>
  decodeResponseRequest({ model: "m", ...body }, { seals, maxItems: 10 }).prompt;

/** To each of the vendors in turn, to a provider of another wire, and without reasoning. */
const CHARGED: Readonly<Record<string, string>> = {
  "chat: a field that we do not know": "340 340 340 340 340 120 120",
  "chat: a long id": "255 1721 1721 255 1721 255 255",
  "chat: a part that we do not know": "120 120 336 120 336 120 120",
  "chat: fields that no model reads": "120 120 120 120 120 120 120",
  "chat: plain": "120 120 120 120 120 120 120",
  "chat: reasoning with details": "243 412 412 412 412 243 243",
  "chat: reasoning with details, under both names": "243 412 412 412 412 243 243",
  "chat: reasoning, in two turns": "390 560 560 560 560 390 390",
  "chat: reasoning, in two turns and a new question": "554 635 635 635 635 465 465",
  "chat: reasoning, once": "243 324 324 324 324 243 243",
  "chat: reasoning, sealed in an id": "718 336 336 336 255 336 255",
  "chat: reasoning, under both names": "243 324 324 324 324 243 243",
  "chat: that field, with text that is shown as well": "432 432 432 432 432 120 120",
  "chat: tools": "248 248 248 248 248 248 248",
  "responses: a long id": "255 1729 1729 255 1729 255 255",
  "responses: an item that we do not know": "340 120 120 120 120 120 120",
  "responses: compaction": "583 null null null null 120 120",
  "responses: fields that no model reads": "120 120 120 120 120 120 120",
  "responses: plain": "127 127 127 127 127 127 127",
  "responses: reasoning, as words": "255 336 255 336 255 255 255",
  "responses: reasoning, encrypted": "718 255 718 255 255 255 255",
  "responses: tools": "248 248 248 248 248 248 248",
};

test("a call without reported usage is charged for the text that was sent, by our count", () => {
  const rows = [
    ...Object.entries(CHATS).map(([name, body]) => [`chat: ${name}`, rowOf(chatOf(body))]),
    ...Object.entries(RESPONSES).map(([name, body]) => [`responses: ${name}`, rowOf(responseOf(body))]),
  ];
  expect(Object.fromEntries(rows)).toEqual(CHARGED);
});
