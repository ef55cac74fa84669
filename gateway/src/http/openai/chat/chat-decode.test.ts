import { describe, expect, test } from "bun:test";
import { AppError } from "../../../kit/index.ts";
import { decodeJson } from "../../body/json-body.ts";
import { createCallSeal } from "../sealed/sealed-call-id.ts";
import { decodeChat } from "./chat-decode.ts";

const callSeal = createCallSeal("a secret for tests");
const SAY = [{ role: "user", content: "Hello" }];
const decode = (fields: Record<string, unknown>) =>
  decodeChat({ model: "m", messages: SAY, ...fields }, { maxMessages: 100, callSeal });
const promptOf = (fields: Record<string, unknown>) => decode(fields).prompt;

describe("fields", () => {
  test("a minimal request becomes its messages, with the unchanged body beside them", () => {
    const body = { model: "m", messages: SAY };
    const { prompt, ...rest } = decodeChat(body, { maxMessages: 100, callSeal });
    expect(prompt).toEqual({
      messages: [{ role: "user", content: "Hello" }],
      wire: { kind: "chat_completions", body, sealCallId: callSeal.seal, texts: expect.anything() },
    });
    expect(prompt.wire?.body).toBe(body);
    expect(rest).toMatchObject({ modelId: "m", maxTokens: null, isStreamed: false, includesUsage: false });
  });

  test("fields with a neutral form are translated", () => {
    const fields = {
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      n: 3,
      stop: "END",
      reasoning_effort: "low",
      response_format: { type: "json_object" },
    };
    expect(promptOf(fields)).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      seed: 7,
      n: 3,
      stop: ["END"],
      reasoningEffort: "low",
      responseFormat: { type: "json" },
    });
  });

  test("a schema beside json_object is used, as some servers and their clients write it there", () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    expect(promptOf({ response_format: { type: "json_object", schema } }).responseFormat).toEqual({
      type: "json_schema",
      name: "response",
      schema,
    });
    for (const nothing of [null, {}])
      expect(promptOf({ response_format: { type: "json_object", schema: nothing } }).responseFormat).toEqual({
        type: "json",
      });
  });

  test("a schema beside json_object without a type is treated as an object schema", () => {
    const untyped = { properties: { city: { type: "string" } } };
    for (const schema of [untyped, { ...untyped, type: null }])
      expect(promptOf({ response_format: { type: "json_object", schema } }).responseFormat).toEqual({
        ...{ type: "json_schema", name: "response" },
        schema: { ...untyped, type: "object" },
      });
  });

  test("numbers beyond the range of a double are refused, with the field's name if it is known", () => {
    const refused = (field: string) => () => {
      const text = `{"model":"m","messages":[{"role":"user","content":"hi"}],${field}}`;
      decodeChat(decodeJson(new TextEncoder().encode(text), 16), { maxMessages: 100, callSeal });
    };
    for (const number of ["1e400", "-1e400", "9".repeat(400)]) {
      expect(refused(`"extra":{"most":[${number}]}`)).toThrow("body: must have no number beyond");
      expect(refused(`"extra":[${number},1e500]`)).toThrow("body: must have no number beyond");
      expect(refused(`"temperature":${number}`)).toThrow("temperature: ");
      expect(refused(`"max_tokens":${number}`)).toThrow("max_tokens: ");
    }
    refused('"extra":[1e308,"1e400"]')();
  });

  test("fields without a neutral form are kept under their own names", () => {
    const extra = { top_k: 5, user: "u", metadata: { a: "b" }, parallel_tool_calls: false, logprobs: true };
    expect(promptOf({ ...extra, temperature: 1, stream: true }).wireFields).toEqual(extra);
    const odd = JSON.parse('{"__proto__": {"admin": true}, "x": 1}') as Record<string, unknown>;
    const body = Object.defineProperty({ model: "m", messages: SAY, x: 1 }, "__proto__", {
      enumerable: true,
      value: odd,
    });
    const { wireFields } = decodeChat(body, { maxMessages: 100, callSeal }).prompt;
    expect(Object.getPrototypeOf(wireFields)).toBe(Object.prototype);
    expect(wireFields).toEqual({ x: 1 });
  });

  test.each([
    [{ max_tokens: 5 }, 5],
    [{ max_tokens: 5, max_completion_tokens: 9 }, 9],
    [{ max_tokens: 5, max_completion_tokens: null }, 5],
    [{ max_tokens: null }, null],
  ])("the token limit of %j is %p", (fields, limit) => {
    expect(decode(fields).maxTokens).toBe(limit);
  });

  test("effort is read from both of its fields, and usage is included only if requested", () => {
    expect(promptOf({ reasoning: { effort: "high" } }).reasoningEffort).toBe("high");
    expect(promptOf({ reasoning: { max_tokens: 5 } }).reasoningEffort).toBeUndefined();
    expect(decode({ stream: true, stream_options: { include_usage: true } }).includesUsage).toBe(true);
    expect(decode({ stream_options: null }).includesUsage).toBe(false);
  });

  test("optional fields that are null are absent", () => {
    const names = [
      "stream",
      "n",
      "stop",
      "tools",
      "tool_choice",
      "functions",
      "response_format",
      "temperature",
    ];
    const more = ["top_p", "seed", "reasoning", "reasoning_effort", "modalities", "logprobs", "top_logprobs"];
    const { prompt } = decode(Object.fromEntries([...names, ...more].map((name) => [name, null])));
    expect(Object.keys(prompt).sort()).toEqual(["messages", "wire", "wireFields"]);
  });

  test("a schema keeps its name, description and strictness; an unknown format is left to the upstream", () => {
    const json_schema = { name: "s", description: "d", schema: { type: "object" }, strict: true };
    expect(promptOf({ response_format: { type: "json_schema", json_schema } }).responseFormat).toEqual({
      type: "json_schema",
      ...json_schema,
    });
    const unnamed = promptOf({ response_format: { type: "json_schema", json_schema: { schema: {} } } });
    expect(unnamed.responseFormat).toMatchObject({ name: "response", schema: {} });
    expect(promptOf({ response_format: { type: "grammar" } }).responseFormat).toBeUndefined();
  });
});

describe("refuses with the field's name", () => {
  const wrong: [string, Record<string, unknown>, string][] = [
    ["no model", { model: undefined }, "model: must be the id"],
    ["messages as text", { messages: "hi" }, "messages: must be a list of 1 to 100"],
    ["too many messages", { messages: Array(101).fill(SAY[0]) }, "messages: must be a list of 1 to 100"],
    ["a message of null", { messages: [null] }, "messages[0]: must be an object"],
    [
      "another role",
      { messages: [{ role: "robot", content: "" }] },
      "messages[0].role: must be one of system",
    ],
    [
      "content as a number",
      { messages: [{ role: "user", content: 5 }] },
      "messages[0].content: must be a string or",
    ],
    ["a user without content", { messages: [{ role: "user" }] }, "messages[0].content: must be a string or"],
    [
      "system content that is an object",
      { messages: [{ role: "system", content: {} }] },
      "messages[0].content: must be",
    ],
    [
      "an image in a system message",
      { messages: [{ role: "system", content: [{ type: "image_url" }] }] },
      "messages[0].content[0]: must be a text part",
    ],
    [
      "a part without text",
      { messages: [{ role: "user", content: [{ type: "text" }] }] },
      "messages[0].content[0].text:",
    ],
    [
      "an image without a URL",
      { messages: [...SAY, { role: "user", content: [{ type: "image_url", image_url: {} }] }] },
      "messages[1].content[0].image_url.url: must be",
    ],
    [
      "a part without a type",
      { messages: [{ role: "user", content: [{}] }] },
      "messages[0].content[0].type: must be",
    ],
    [
      "a tool message without tool_call_id",
      { messages: [{ role: "tool", content: "" }] },
      "messages[0].tool_call_id: must be",
    ],
    [
      "tool_calls as an object",
      { messages: [{ role: "assistant", tool_calls: {} }] },
      "messages[0].tool_calls: must be a list",
    ],
    [
      "a call without an id",
      { messages: [{ role: "assistant", tool_calls: [{ function: { name: "f" } }] }] },
      "messages[0].tool_calls[0].id: must be",
    ],
    [
      "a call without a name",
      { messages: [{ role: "assistant", tool_calls: [{ id: "c", function: {} }] }] },
      "messages[0].tool_calls[0].function.name: must be",
    ],
    ["stream as text", { stream: "true" }, "stream: must be true or false"],
    ["stream_options as text", { stream_options: "x" }, "stream_options: must be an object"],
    ["n of 0", { n: 0 }, "n: must be a whole number from 1 to 128"],
    ["n of 129", { n: 129 }, "n: must be a whole number from 1 to 128"],
    ["a temperature as text", { temperature: "hot" }, "temperature: must be a number"],
    ["an infinite temperature", { temperature: Number.POSITIVE_INFINITY }, "temperature: must be a number"],
    ["a fractional seed", { seed: 1.5 }, "seed: must be a whole number"],
    ["stop as a list of numbers", { stop: [1] }, "stop: must be a string or a list"],
    ["65 stop sequences", { stop: Array(65).fill("x") }, "stop: must be a string or a list"],
    ["tools as an object", { tools: {} }, "tools: must be a list of at most 1024"],
    ["10,000 tools", { tools: Array(10_000).fill({}) }, "tools: must be a list of at most 1024"],
    ["a tool of null", { tools: [null] }, "tools[0]: must be an object"],
    ["a tool without a function", { tools: [{ type: "function" }] }, "tools[0].function: must be"],
    [
      "a function without a name",
      { tools: [{ type: "function", function: {} }] },
      "tools[0].function.name: must be",
    ],
    [
      "parameters as text",
      { functions: [{ name: "f", parameters: "x" }] },
      "functions[0].parameters: must be",
    ],
    ["an unknown choice", { tools: [TOOL("f")], tool_choice: "maybe" }, "tool_choice: must be auto, none"],
    [
      "a named tool that is not offered",
      { tools: [TOOL("f")], tool_choice: NAMED("g") },
      "tool_choice: must name one",
    ],
    ["a format as text", { response_format: "json" }, "response_format: must be an object"],
    [
      "a schema as text",
      { response_format: { type: "json_schema", json_schema: { schema: "x" } } },
      "response_format.json_schema.schema:",
    ],
    ["an effort as a number", { reasoning_effort: 5 }, "reasoning_effort: must be one of"],
    ["a request for audio output", { modalities: ["text", "audio"] }, "modalities: must be"],
    ["parallel_tool_calls as text", { parallel_tool_calls: "no" }, "parallel_tool_calls: must be"],
    ["21 top_logprobs", { top_logprobs: 21 }, "top_logprobs: must be a whole number from 0 to 20"],
    ...[0, -1, 1.5, "5", true, 2 ** 31, 2 ** 53].map((value): [string, Record<string, unknown>, string] => [
      `max_tokens ${value}`,
      { max_tokens: value },
      "max_tokens: must be a whole number from 1 to",
    ]),
  ];

  test.each(wrong)("%s", (_, fields, says) => {
    let refusal: unknown;
    try {
      decode(fields);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(AppError);
    const { message, status, options } = refusal as AppError;
    expect([message.slice(0, says.length), status]).toEqual([says, 400]);
    expect(says).toStartWith(options.field ?? "no field");
  });
});

function TOOL(name: string) {
  return { type: "function", function: { name } };
}

function NAMED(name: string) {
  return { type: "function", function: { name } };
}

describe("tools", () => {
  const offered = [TOOL("add"), TOOL("subtract")];

  test("keep their description, parameters and strictness", () => {
    const made = { name: "add", description: "Adds.", parameters: { type: "object" }, strict: true };
    expect(promptOf({ tools: [{ type: "function", function: made }] }).tools).toEqual([made]);
    expect(
      promptOf({ tools: [{ type: "function", function: { ...made, strict: null } }] }).tools?.[0],
    ).not.toHaveProperty("strict");
  });

  test.each([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    ["any", "required"],
    [NAMED("add"), { name: "add" }],
    [{ type: "web_search" }, undefined],
  ])("with tool_choice %j have the choice %j", (given, choice) => {
    expect(promptOf({ tools: offered, tool_choice: given }).toolChoice).toEqual(choice as never);
  });

  test("marked for the provider's cache keep the mark, beside the function or within it", () => {
    const wish = { cache_control: { type: "ephemeral" } };
    const { type, function: made } = TOOL("f");
    const tools = [{ type, function: made, ...wish }, { type, function: { ...made, ...wish } }, TOOL("g")];
    expect(promptOf({ tools }).tools?.map(({ cache }) => cache)).toEqual([true, true, undefined]);
  });

  test("are reduced to the allowed tools, with their mode", () => {
    const allowed = {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [NAMED("subtract")] },
    };
    const prompt = promptOf({ tools: offered, tool_choice: allowed });
    expect([prompt.tools?.map(({ name }) => name), prompt.toolChoice]).toEqual([["subtract"], "required"]);
  });

  test("of type custom become a function with one text parameter, whose description contains the grammar", () => {
    const format = { type: "grammar", grammar: { syntax: "regex", definition: "a+" } };
    const fields = { tools: [{ type: "custom", custom: { name: "say", description: "Says.", format } }] };
    const { prompt, callStyle } = decode(fields);
    expect(prompt.tools?.[0]).toMatchObject({ name: "say", parameters: { required: ["input"] } });
    expect(prompt.tools?.[0]?.description).toBe("Says.\n\nThe input must match this grammar (regex):\na+");
    expect(callStyle.customTools.has("say")).toBe(true);
  });

  test("that are hosted are left to upstreams that have them", () => {
    expect(promptOf({ tools: [{ type: "web_search" }], tool_choice: "auto" })).not.toHaveProperty("tools");
    expect(promptOf({ tools: [{ type: "web_search" }, TOOL("add")] }).tools).toEqual([{ name: "add" }]);
  });

  test("are read from the older functions field, too, and function_call is their tool_choice", () => {
    const { prompt, callStyle } = decode({ functions: [{ name: "add" }], function_call: { name: "add" } });
    expect(prompt).toMatchObject({ tools: [{ name: "add" }], toolChoice: { name: "add" } });
    expect(callStyle).toMatchObject({ isFunctionCall: true, isNamed: true });
    expect(promptOf({ functions: [{ name: "add" }], function_call: "none" }).toolChoice).toBe("none");
  });

  test("in the older functions field turn parallel calls off", () => {
    const functions = [{ name: "add" }];
    expect(promptOf({ functions }).wireFields).toEqual({ parallel_tool_calls: false });
    expect(promptOf({ functions, parallel_tool_calls: true, user: "u" }).wireFields).toEqual({
      parallel_tool_calls: false,
      user: "u",
    });
    expect(promptOf({ tools: [TOOL("add")], functions })).not.toHaveProperty("wireFields");
    const { wire } = promptOf({ functions });
    expect(wire?.body).not.toHaveProperty("parallel_tool_calls");
  });
});
