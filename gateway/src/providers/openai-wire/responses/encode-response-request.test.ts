import { describe, expect, test } from "bun:test";
import type { ChatRequest, WireRequest } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { speaksResponses } from "../exchange.ts";
import { sealed, testMark } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";
import { encodeResponseRequest } from "./encode-response-request.ts";

const { openai, xai, groq, deepseek } = WIRE_VENDORS;
type Json = Record<string, unknown>;

function sent(
  body: Json,
  options: {
    vendor?: WireVendor;
    model?: string;
    request?: Partial<ChatRequest>;
    wire?: Partial<WireRequest>;
  } = {},
): Json {
  const { vendor = openai, model = "gpt-5", request = {} } = options;
  const asked = { input: "hi", ...body };
  const wire: WireRequest = { kind: "responses", body: asked, ...options.wire };
  const whole = { messages: [], maxOutputTokens: 64, sealed, ...request };
  return encodeResponseRequest(whole, wire, { vendor, model, namespace: "acme" });
}

const ENCRYPTED = "reasoning.encrypted_content";
const OURS = { model: "gpt-5", store: false, stream: true, max_output_tokens: 64, include: [ENCRYPTED] };

describe("a passed-through Responses request", () => {
  test("is sent unchanged except for model, limit, stream, identities and stored state", () => {
    const extras = {
      instructions: "Be brief.",
      text: { verbosity: "low" },
      reasoning: { effort: "low", summary: "auto" },
      truncation: "auto",
      stream_options: { include_obfuscation: false },
      client_metadata: { x: 1 },
    };
    const identities = { prompt_cache_key: "k", safety_identifier: "s", user: "u" };
    const stored = {
      metadata: { a: "1" },
      store: true,
      background: true,
      previous_response_id: "r",
      conversation: "c",
      prompt: { id: "p" },
    };
    const priced = { service_tier: "priority", max_output_tokens: 9e9, stream: false, model: "svc-code" };
    const own = { prompt_cache_key: sealed("k"), safety_identifier: sealed("s"), user: sealed("u") };
    const body = sent({ ...extras, ...identities, ...stored, ...priced });
    expect(body).toEqual({ input: "hi", ...extras, ...own, ...OURS });
  });

  test("is not streamed if one piece is requested", () => {
    const body = sent({ stream_options: {} }, { request: { inOnePiece: true } });
    expect(body).not.toHaveProperty("stream");
    expect(body).not.toHaveProperty("stream_options");
  });

  test("keeps its sampling options only if the model does not reason", () => {
    const given = { temperature: 0, top_p: 0.3 };
    const thinking = { reasoning: { effort: "low" } };
    expect(sent(given, { model: "gpt-5.4", request: { reasoningEffort: "none" } })).toMatchObject(given);
    const body = sent({ ...given, ...thinking }, { model: "gpt-5.4", request: { reasoningEffort: "low" } });
    expect(body).toMatchObject(thinking);
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("top_p");
  });

  test("requests encrypted reasoning only from reasoning models; it is unchanged for unknown models", () => {
    expect(sent({ include: ["x"] })["include"]).toEqual(["x", ENCRYPTED]);
    const plain = sent({ include: [ENCRYPTED], reasoning: { effort: "low" } }, { model: "gpt-4.1" });
    expect(plain).not.toHaveProperty("include");
    expect(plain).not.toHaveProperty("reasoning");
    const unknown = { include: [ENCRYPTED], reasoning: { effort: "low" } };
    expect(sent(unknown, { vendor: xai, model: "grok-4.3" })).toMatchObject(unknown);
  });

  test("loses sampling options that the model rejects, and fields that the vendor rejects", () => {
    expect(sent({ temperature: 1 })).not.toHaveProperty("temperature");
    expect(sent({ temperature: 1 }, { model: "gpt-4.1" })).toMatchObject({ temperature: 1 });
    const body = sent({ truncation: "auto", include: ["x"] }, { vendor: groq, model: "m" });
    for (const field of ["store", "truncation", "include"]) expect(body).not.toHaveProperty(field);
  });
});

describe("tools", () => {
  const own = [
    { type: "function", name: "f", parameters: { $schema: "draft", type: "object" } },
    { type: "custom", name: "patch", format: { type: "grammar" } },
    { type: "namespace", name: "ns", tools: [{ type: "function", name: "g" }] },
    { type: "tool_search" },
    { type: "local_shell" },
    { type: "shell", environment: { type: "local" } },
    { type: "apply_patch" },
    { type: "computer" },
    { type: "computer_use_preview", environment: "browser" },
  ];
  const hosted = [
    "web_search",
    "web_search_preview_2025_03_11",
    "file_search",
    "code_interpreter",
    "image_generation",
    "mcp",
    "x_search",
    // Types that are in no list of ours, or in other spelling.
    "browser_search",
    "code_execution",
    "bing_grounding",
    "web_fetch",
    "programmatic_tool_calling",
    "WEB_SEARCH",
    "Function",
  ].map((type) => ({ type }));

  test("that the client runs are kept; those that the provider would run and bill are removed", () => {
    expect(sent({ tools: [...hosted, ...own, { type: "shell" }] })["tools"]).toEqual(own);
  });

  test("that are hosted are removed from namespaces and from the input, too", () => {
    const plain = { type: "function", name: "g" };
    const nested = { type: "namespace", name: "ns", tools: [plain, { type: "mcp" }] };
    expect(sent({ tools: [nested] })["tools"]).toEqual([{ ...nested, tools: [plain] }]);
    const item = { type: "additional_tools", tools: [{ type: "web_search" }, nested] };
    expect(sent({ input: [item] })["input"]).toEqual([{ ...item, tools: [{ ...nested, tools: [plain] }] }]);
  });

  test("that are all hosted are removed together with the tool choice", () => {
    const body = sent({ tools: hosted, tool_choice: { type: "web_search" }, parallel_tool_calls: true });
    for (const field of ["tools", "tool_choice", "parallel_tool_calls"])
      expect(body).not.toHaveProperty(field);
  });

  test("from the input can be chosen although all others are hosted", () => {
    const input = [{ type: "additional_tools", tools: own.slice(0, 1) }];
    const choice = { tool_choice: { type: "function", name: "f" }, parallel_tool_calls: false };
    const body = sent({ input, tools: hosted, ...choice });
    expect(body).toMatchObject({ input, ...choice });
    expect(body).not.toHaveProperty("tools");
    expect(sent({ input, ...choice })).toMatchObject(choice);
    const none = [{ type: "additional_tools", tools: hosted }];
    expect(sent({ input: none, tools: hosted, ...choice })).not.toHaveProperty("parallel_tool_calls");
  });

  test("that are hosted cannot be chosen even if no tools are listed", () => {
    const input = [{ type: "additional_tools", tools: own.slice(0, 1) }];
    expect(sent({ input, tool_choice: { type: "web_search" } })).not.toHaveProperty("tool_choice");
    expect(sent({ tool_choice: { type: "web_search" } })).not.toHaveProperty("tool_choice");
    expect(sent({ tool_choice: "auto" })).toMatchObject({ tool_choice: "auto" });
    expect(sent({ tool_choice: "any" })).toMatchObject({ tool_choice: "required" });
  });

  test.each<[unknown, unknown]>([
    ["required", "required"],
    [{ type: "web_search" }, undefined],
    [
      { type: "function", name: "f" },
      { type: "function", name: "f" },
    ],
    [{ type: "allowed_tools", mode: "auto", tools: [{ type: "mcp" }] }, undefined],
    [
      { type: "allowed_tools", mode: "auto", tools: [{ type: "mcp" }, { type: "function", name: "f" }] },
      { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
    ],
    [{ type: "computer_use" }, { type: "computer_use" }],
  ])("can be chosen only among those that are left: %j", (choice, expected) => {
    expect(sent({ tools: own, tool_choice: choice })["tool_choice"]).toEqual(expected);
  });

  test("can be chosen if they are the client's own shell, but not a hosted one", () => {
    const choices = [
      { type: "shell" },
      { type: "allowed_tools", mode: "required", tools: [{ type: "shell" }] },
    ];
    const rented = [{ type: "shell" }, { type: "function", name: "f" }];
    for (const tool_choice of choices) {
      expect(sent({ tools: own, tool_choice })).toMatchObject({ tool_choice });
      const input = [{ type: "additional_tools", tools: own }];
      expect(sent({ input, tool_choice })).toMatchObject({ tool_choice });
      expect(sent({ tools: rented, tool_choice })).not.toHaveProperty("tool_choice");
    }
  });

  test("and formats lose the keywords that a vendor rejects", () => {
    const schema = { $schema: "draft", type: "object" };
    const text = { format: { type: "json_schema", name: "s", schema }, verbosity: "low" };
    const body = sent({ tools: own.slice(0, 1), text }, { vendor: xai, model: "grok-4.3" });
    expect(body["tools"]).toEqual([{ type: "function", name: "f", parameters: { type: "object" } }]);
    expect(body["text"]).toEqual({
      format: { type: "json_schema", name: "s", schema: { type: "object" } },
      verbosity: "low",
    });
    expect(sent({ text })["text"]).toBe(text);
  });
});

describe("input", () => {
  const user = { role: "user", content: "hi" };
  const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };
  const call = { type: "function_call", id: "fc_1", call_id: "c", name: "f", arguments: "{}" };

  test("is the same object if it refers to nothing stored", () => {
    const input = [user, thought, call, { type: "unknown_item" }];
    expect(sent({ input })["input"]).toBe(input);
    expect(sent({ input: "hi" })["input"]).toBe("hi");
  });

  test("keeps this provider's encrypted reasoning as it was sent, and loses another's", () => {
    const marked = (text: string) => ({ ...thought, encrypted_content: text });
    const { id: _id, ...plain } = call;
    const request = { reasoningMark: testMark };
    expect(sent({ input: [user, marked("acme:e"), call] }, { wire: request })["input"]).toEqual([
      user,
      thought,
      call,
    ]);
    expect(sent({ input: [user, marked("other:e"), call] }, { wire: request })["input"]).toEqual([
      user,
      plain,
    ]);
    const input = [user, thought, call];
    expect(sent({ input }, { wire: request })["input"]).toBe(input);
  });

  test("loses the ids of items whose reasoning is lost", () => {
    const said = [
      { type: "message", role: "assistant", content: "hm" },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      { type: "custom_tool_call", call_id: "d", name: "g", input: "x" },
      { type: "tool_search_call", call_id: "e", execution: "client", arguments: {} },
    ];
    const { encrypted_content: _lost, ...summary } = thought;
    const input = [user, summary, ...said.map((item, at) => ({ ...item, id: `said_${at}` }))];
    expect(sent({ input })["input"]).toEqual([user, ...said]);
  });

  test("loses references to stored items", () => {
    const references = [{ type: "item_reference", id: "rs_1" }, { id: "msg_1" }, { type: null, id: "msg_2" }];
    const input = [user, ...references, call];
    expect(sent({ input })["input"]).toEqual([user, call]);
  });

  test("loses images that are given only by id, which could be another caller's", () => {
    const picture = {
      type: "image_generation_call",
      id: "ig_1",
      status: "completed",
      result: "iVBORw0KGgo=",
    };
    const lost = [
      { ...picture, result: null },
      { ...picture, result: "" },
      { type: picture.type, id: "ig_2" },
    ];
    expect(sent({ input: [user, ...lost, picture] })["input"]).toEqual([user, picture]);
  });

  test("loses reasoning that is given only by id, and the ids of items that need it", () => {
    const { id: _id, ...plain } = call;
    const lost = { type: "reasoning", id: "rs_2", summary: [], encrypted_content: null };
    const output = { type: "function_call_output", id: "fco_1", call_id: "c", output: "1" };
    expect(sent({ input: [user, thought, lost, call, output] })["input"]).toEqual([
      user,
      thought,
      plain,
      output,
    ]);
  });
});

describe("Responses support of a vendor", () => {
  const speaks = (body: Json, vendor: WireVendor) => speaksResponses({ kind: "responses", body }, vendor);
  const custom = { tools: [{ type: "custom", name: "patch" }] };

  test("covers all tools, only functions, or nothing", () => {
    expect(speaks(custom, openai)).toBe(true);
    expect(speaks(custom, xai)).toBe(false);
    expect(speaks({ tools: [{ type: "function" }, { type: "web_search" }], input: "hi" }, xai)).toBe(true);
    expect(speaks({}, deepseek)).toBe(false);
  });

  test("covers no items of tools that the vendor does not support", () => {
    expect(speaks({ input: [{ role: "user" }, { type: "custom_tool_call" }] }, xai)).toBe(false);
    expect(speaks({ input: [{ role: "user" }, { type: "function_call" }] }, xai)).toBe(true);
  });
});
