import { describe, expect, test } from "bun:test";
import {
  type ChatEvent,
  type ChatMessage,
  type ChatRequest,
  ProviderFailure,
  type ReasoningPart,
  type ToolCall,
} from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { closeSeal } from "../seal.ts";
import { expecting, sealed } from "../testing.ts";
import { encodeChatAsResponse } from "./encode-chat-as-response.ts";
import { neutralResponseReading } from "./response-reading.ts";

type Json = Record<string, unknown>;

const QUESTION: ChatMessage = { role: "user", content: "hi" };
const TOOL = { name: "look", description: "Looks.", parameters: { type: "object" } };

function sent(body: Json, request: Partial<ChatRequest> = {}): Json {
  const wire = { kind: "chat_completions" as const, body };
  const whole: ChatRequest = {
    messages: [QUESTION],
    maxOutputTokens: 64,
    tools: [TOOL],
    wire,
    sealed,
    ...request,
  };
  return encodeChatAsResponse(whole, { vendor: WIRE_VENDORS.openai, model: "gpt-5.6", namespace: "acme" });
}

function inputOf(messages: readonly ChatMessage[], body: Json = {}): unknown {
  return sent(body, { messages })["input"];
}

const OURS = {
  model: "gpt-5.6",
  input: [{ type: "message", role: "user", content: "hi" }],
  max_output_tokens: 64,
  store: false,
  stream: true,
  include: ["reasoning.encrypted_content"],
  tools: [{ type: "function", ...TOOL, strict: false }],
};

test("legacy functions are requested one call at a time", () => {
  const body = sent({ functions: [TOOL] }, { wireFields: { parallel_tool_calls: false } });
  expect(body).toEqual({ ...OURS, parallel_tool_calls: false });
});

test("cache breakpoints stay on their parts, except in assistant messages, which cannot have any", () => {
  const mark = { prompt_cache_breakpoint: { mode: "explicit" } };
  const given = [
    ["system", [{ text: "a" }, { text: "b", ...mark }]],
    ["developer", [{ text: "c", ...mark }]],
    ["user", [{ text: "d" }, { text: "e", ...mark }]],
    ["user", [{ text: "f" }]],
    ["assistant", [{ text: "g", ...mark }]],
    ["tool", [{ text: "h", ...mark }]],
  ] as const;
  const messages = given.map(([role, parts]): ChatMessage => {
    const content = parts.map(({ text }) => ({ type: "text" as const, text }));
    if (role === "tool") return { role, toolCallId: "c", content };
    if (role === "user") return { role, content };
    if (role === "assistant") return { role, content: "g" };
    return { role, content: content.map(({ text }) => text).join("\n") };
  });
  const asked = given.map(([role, parts]) => ({
    role,
    content: parts.map((part) => ({ type: "text", ...part })),
  }));
  const marked = given.map(([role, parts]) =>
    role === "assistant" ? "g" : parts.map((part) => ({ type: "input_text", ...part })),
  );
  const input = inputOf(messages, { messages: asked }) as Json[];
  expect(input.map((item) => item["content"] ?? item["output"])).toEqual(marked);
  // If the prompt is not the client's own, its parts are unknown.
  expect(inputOf(messages, { messages: [] })).toMatchObject([{ content: "a\nb" }, {}, {}, {}, {}, {}]);
});

/** The turn that a client sends back for an answer. */
function turnOf(events: readonly ChatEvent[]): Extract<ChatMessage, { role: "assistant" }> {
  const reasoning: ReasoningPart[] = [];
  const toolCalls: ToolCall[] = [];
  let thought = "";
  let content = "";
  for (const event of events) {
    if (event.type === "reasoning") thought += event.text;
    else if (event.type === "text") content += event.text;
    else if (event.type === "tool_start") toolCalls.push({ id: event.id, name: event.name, arguments: "" });
    else if (event.type === "reasoning_signature") {
      reasoning.push({ text: thought, signature: event.signature });
      thought = "";
    }
  }
  return { role: "assistant", content, reasoning, toolCalls };
}

describe("a chat completion that is sent as a Responses request", () => {
  test("keeps shared fields, translates others and drops the rest", () => {
    const shared = { prompt_cache_retention: "24h", parallel_tool_calls: false };
    const identities = { user: "u", safety_identifier: "s", prompt_cache_key: "k" };
    const dropped = { seed: 7, store: true, temperature: 0.2, presence_penalty: 0, service_tier: "priority" };
    const stateful = { previous_response_id: "r", conversation: "c", background: true, prompt: { id: "p" } };
    const voids = {
      n: 1,
      logprobs: false,
      top_logprobs: 0,
      logit_bias: {},
      stop: null,
      metadata: { a: "1" },
    };
    const said = { verbosity: "low", max_tokens: 9e9 };
    const body = { ...shared, ...identities, ...dropped, ...stateful, ...voids, ...said };
    const format = { type: "json_schema" as const, name: "r", schema: { type: "object" }, strict: true };
    expect(sent(body, { responseFormat: format, reasoningEffort: "low", toolChoice: "required" })).toEqual({
      ...OURS,
      ...shared,
      user: sealed("u"),
      safety_identifier: sealed("s"),
      prompt_cache_key: sealed("k"),
      reasoning: { effort: "low" },
      text: { format, verbosity: "low" },
      tool_choice: "required",
    });
  });

  test("requests at least the 16 output tokens that the Responses API requires", () => {
    const limits = [1, 15, 16, 17].map(
      (maxOutputTokens) => sent({}, { maxOutputTokens })["max_output_tokens"],
    );
    expect(limits).toEqual([16, 16, 16, 17]);
  });

  test("is not streamed if one piece is requested; tool choice and format are translated", () => {
    const body = sent(
      {},
      { inOnePiece: true, toolChoice: { name: "look" }, responseFormat: { type: "json" } },
    );
    expect(body).not.toHaveProperty("stream");
    expect(body).toMatchObject({
      tool_choice: { type: "function", name: "look" },
      text: { format: { type: "json_object" } },
    });
  });

  test("keeps temperature and top_p if the reasoning effort is none", () => {
    const body = { temperature: 0.2, top_p: 0.5, presence_penalty: 1 };
    const unthinking = sent(body, { reasoningEffort: "none" });
    expect(unthinking).toMatchObject({ temperature: 0.2, top_p: 0.5, reasoning: { effort: "none" } });
    expect(unthinking).not.toHaveProperty("presence_penalty");
  });

  test.each([
    ["n", {}, { n: 2 }],
    ["stop", {}, { stop: ["END"] }],
    ["logprobs", { logprobs: true }, {}],
    ["logprobs", { top_logprobs: 2 }, {}],
    ["logit_bias", { logit_bias: { 50256: -100 } }, {}],
    ["response_format", { response_format: { type: "grammar" } }, {}],
  ])("is rejected by the name of what the Responses API lacks: %s, in %j", (name, body, request) => {
    expect(() => sent(body, request)).toThrow(ProviderFailure);
    expect(() => sent(body, request)).toThrow(new RegExp(`rejected: ${name}`));
  });
});

describe("the conversation of such a request", () => {
  test("becomes items: messages, calls and results", () => {
    const messages: readonly ChatMessage[] = [
      { role: "developer", content: "Be brief." },
      QUESTION,
      {
        role: "assistant",
        content: "Looking.",
        toolCalls: [{ id: "c1", name: "look", arguments: "" }],
      },
      { role: "tool", toolCallId: "c1", content: [{ type: "text", text: "rain" }] },
      { role: "assistant", content: null },
    ];
    expect(inputOf(messages)).toEqual([
      { type: "message", role: "developer", content: "Be brief." },
      { type: "message", role: "user", content: "hi" },
      { type: "message", role: "assistant", content: "Looking." },
      { type: "function_call", call_id: "c1", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "rain" }] },
      { type: "message", role: "assistant", content: "" },
    ]);
  });

  test("has a file that the client sent as an image as input_image", () => {
    const writtenAs = { type: "image", url: "data:audio/wav;base64,AA" } as const;
    const part = { type: "file", mediaType: "audio/wav", data: writtenAs.url, writtenAs } as const;
    const content = [{ type: "input_image", image_url: writtenAs.url, detail: "auto" }];
    expect(inputOf([{ role: "user", content: [part] }])).toEqual([
      { type: "message", role: "user", content },
    ]);
  });

  test("has images and files; audio and video are rejected", () => {
    const content = [
      { type: "image" as const, url: "https://a.example/a.png", detail: "low" },
      { type: "image" as const, url: "data:image/png;base64,AA" },
      { type: "file" as const, filename: "a.pdf", data: "JVBERi0=" },
      { type: "file" as const, data: "https://a.example/a.pdf" },
    ];
    expect(inputOf([{ role: "user", content }])).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_image", image_url: "https://a.example/a.png", detail: "low" },
          { type: "input_image", image_url: "data:image/png;base64,AA", detail: "auto" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
          { type: "input_file", file_url: "https://a.example/a.pdf" },
        ],
      },
    ]);
    for (const part of [
      { type: "file" as const, mediaType: "audio/wav", data: "AA" },
      { type: "other" as const, name: "video_url" },
    ]) {
      expect(() => inputOf([{ role: "user", content: [part] }])).toThrow(
        /does not take (input_audio|video_url)/,
      );
      expect(() => inputOf([{ role: "user", content: [part] }])).toThrow(
        expect.objectContaining({ detail: { field: "messages" } }),
      );
    }
  });

  test("carries encrypted reasoning back only to its provider, before what followed it", () => {
    const reasoning = [
      { text: "", signature: closeSeal("acme", "gAAA1") },
      { text: "\n\nSo.", signature: closeSeal("acme", "gAAA2") },
      { text: "Hm.", signature: closeSeal("another", "gAAA3") },
      { text: "An echo." },
    ];
    const toolCalls = [{ id: "c1", name: "look", arguments: "{}" }];
    expect(inputOf([{ role: "assistant", content: null, reasoning, toolCalls }])).toEqual([
      { type: "reasoning", summary: [], encrypted_content: "gAAA1" },
      { type: "reasoning", summary: [{ type: "summary_text", text: "So." }], encrypted_content: "gAAA2" },
      { type: "function_call", call_id: "c1", name: "look", arguments: "{}" },
    ]);
  });
});

test("reasoning between text and calls is sent back in its original place, with its summaries", () => {
  const summary = (...texts: string[]) => texts.map((text) => ({ type: "summary_text", text }));
  const thought = (encrypted: string, ...texts: string[]) => ({
    type: "reasoning",
    summary: summary(...texts),
    encrypted_content: encrypted,
  });
  const said = (text: string) => ({ type: "message", role: "assistant", content: text });
  const call = (id: string) => ({ type: "function_call", call_id: id, name: "look", arguments: "{}" });
  const output = [
    ...[thought("gA", "One.", "Two."), call("c1"), thought("gB"), said("mid"), call("c2")],
    ...[thought("gC", "Three."), said("mid")],
  ];
  const written = output.map((item) =>
    "role" in item ? { ...item, content: ["m", "id"].map((text) => ({ type: "output_text", text })) } : item,
  );
  const turn = turnOf(neutralResponseReading(expecting()).whole({ status: "completed", output: written }));
  expect(turn).toMatchObject({
    content: "mid\n\nmid",
    reasoning: [{ text: "One.\n\nTwo." }, { text: "" }, { text: "\n\nThree." }],
  });
  expect(inputOf([turn])).toEqual(output);
  // A client may have changed the text, and the reasoning of a turn without text may come alone.
  expect(inputOf([{ ...turn, content: null, toolCalls: [] }])).toEqual([
    thought("gA", "One.", "Two."),
    thought("gB"),
    thought("gC", "Three."),
    said(""),
  ]);
  const changed = (turn.reasoning ?? []).map((part) => ({ ...part, text: "Another" }));
  expect(inputOf([{ ...turn, reasoning: changed }])).toContainEqual(thought("gA", "Another"));
});

test("messages lose the blank lines that we put between them, and nothing else", () => {
  const said = (text: string) => ({ type: "message", role: "assistant", content: text });
  const thought = { type: "reasoning", summary: [], encrypted_content: "gA" };
  const call = { type: "function_call", call_id: "c1", name: "look", arguments: "{}" };
  for (const output of [
    [said("A"), said("\n\nB"), thought, call],
    [thought, said("\n\nA"), call],
  ]) {
    const written = output.map((item) =>
      "content" in item ? { ...item, content: [{ type: "output_text", text: item.content }] } : item,
    );
    const turn = turnOf(neutralResponseReading(expecting()).whole({ status: "completed", output: written }));
    expect(inputOf([turn])).toEqual(output);
  }
});

test("a custom tool stays custom, in calls and results too", () => {
  const grammar = { syntax: "lark", definition: "start: /a/" };
  const custom = { name: "patch", description: "Patches.", format: { type: "grammar", grammar } };
  const tools = [
    { type: "custom", custom },
    { type: "custom", custom: { name: "say" } },
  ];
  const neutral = [{ name: "patch" }, { name: "say" }, TOOL];
  const call = (id: string, name: string, text: string) => ({ id, name, arguments: text });
  const toolCalls = [
    call("c1", "patch", '{"input":"a\\nb"}'),
    call("c2", "look", "{}"),
    call("c3", "say", "x"),
  ];
  const results = toolCalls.map(({ id }) => ({ role: "tool" as const, toolCallId: id, content: "ok" }));
  const messages: readonly ChatMessage[] = [{ role: "assistant", content: null, toolCalls }, ...results];
  const body = sent({ tools }, { messages, tools: neutral, toolChoice: { name: "patch" } });
  expect(body).toMatchObject({
    tools: [
      { type: "custom", name: "patch", description: "Patches.", format: { type: "grammar", ...grammar } },
      { type: "custom", name: "say" },
      { type: "function", name: "look" },
    ],
    tool_choice: { type: "custom", name: "patch" },
    input: [
      { type: "custom_tool_call", call_id: "c1", name: "patch", input: "a\nb" },
      { type: "function_call", call_id: "c2" },
      { type: "custom_tool_call", call_id: "c3", input: "x" },
      { type: "custom_tool_call_output", call_id: "c1", output: "ok" },
      { type: "function_call_output", call_id: "c2" },
      { type: "custom_tool_call_output", call_id: "c3" },
    ],
  });
});

test("calls with the same id each match their own tool, and a result the nearest call before it", () => {
  const tools = [{ type: "custom", custom: { name: "say" } }];
  const turn = (name: string, text: string): ChatMessage => ({
    role: "assistant",
    content: null,
    toolCalls: [{ id: "call_0", name, arguments: text }],
  });
  const result: ChatMessage = { role: "tool", toolCallId: "call_0", content: "ok" };
  const messages = [turn("say", '{"input":"x"}'), result, turn("look", "{}"), result];
  expect(sent({ tools }, { messages, tools: [{ name: "say" }, TOOL] })["input"]).toMatchObject([
    { type: "custom_tool_call", input: "x" },
    { type: "custom_tool_call_output" },
    { type: "function_call", name: "look" },
    { type: "function_call_output" },
  ]);
});
