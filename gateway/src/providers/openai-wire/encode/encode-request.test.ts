import { describe, expect, test } from "bun:test";
import type { ChatMessage, ChatRequest } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { openai, mistral, deepseek, moonshot, zai, openrouter, perplexity } = WIRE_VENDORS;

describe("a chat completion request", () => {
  test("streams and requests usage", () => {
    expect(bodyFor({})).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 64,
    });
  });

  test("does not request usage from a vendor that rejects that option", () => {
    expect(bodyFor({}, { vendor: mistral })).not.toHaveProperty("stream_options");
  });

  test("contains every neutral field", () => {
    const request: Partial<ChatRequest> = {
      temperature: 0,
      topP: 0.5,
      stop: ["END"],
      seed: 0,
      n: 3,
      reasoningEffort: "low",
      tools: [{ name: "f", description: "d", parameters: { type: "object" }, strict: true }, { name: "g" }],
      toolChoice: { name: "f" },
      responseFormat: { type: "json_schema", name: "s", schema: { type: "object" }, strict: true },
    };
    expect(bodyFor(request)).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      stop: ["END"],
      seed: 0,
      n: 3,
      reasoning_effort: "low",
      tools: [
        {
          type: "function",
          function: { name: "f", description: "d", parameters: { type: "object" }, strict: true },
        },
        { type: "function", function: { name: "g" } },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: {
        type: "json_schema",
        json_schema: { name: "s", schema: { type: "object" }, strict: true },
      },
    });
  });

  test("has no tool_choice without tools, and no response_format for plain text", () => {
    const body = bodyFor({ tools: [], toolChoice: "auto", responseFormat: { type: "text" }, stop: [], n: 1 });
    for (const field of ["tools", "tool_choice", "response_format", "stop", "n"])
      expect(body).not.toHaveProperty(field);
  });

  test("uses the vendor's names for seed and reasoning effort", () => {
    expect(bodyFor({ seed: 5 }, { vendor: mistral })).toMatchObject({ random_seed: 5 });
    expect(bodyFor({ reasoningEffort: "high" }, { vendor: openrouter })).toMatchObject({
      reasoning: { effort: "high" },
    });
  });
});

describe("the output limit", () => {
  test.each([
    ["gpt-4o-mini", "max_tokens"],
    ["llama-3", "max_tokens"],
    ["o1", "max_completion_tokens"],
    ["o4-mini", "max_completion_tokens"],
    ["gpt-5.1", "max_completion_tokens"],
    ["gpt-5-chat-latest", "max_completion_tokens"],
    ["openai/gpt-5-mini", "max_completion_tokens"],
    ["o1000-of-somebody", "max_tokens"],
  ])("of %s is sent as %s", (model, field) => {
    const body = bodyFor({}, { vendor: openai, model });
    expect([body["max_tokens"], body["max_completion_tokens"]].filter(Boolean)).toEqual([64]);
    expect(body[field]).toBe(64);
  });
});

describe("reasoning models", () => {
  test("get neither temperature nor top_p; others do", () => {
    const request = { temperature: 0.3, topP: 0.9 };
    for (const model of ["o3", "gpt-5-mini"]) {
      expect(bodyFor(request, { vendor: openai, model })).toEqual(bodyFor({}, { vendor: openai, model }));
    }
    for (const model of ["gpt-5-chat-latest", "gpt-4o"]) {
      expect(bodyFor(request, { vendor: openai, model })).toMatchObject({ temperature: 0.3, top_p: 0.9 });
    }
  });

  test("get developer messages; others get them as system messages", () => {
    const messages: ChatMessage[] = [{ role: "developer", content: "Be brief." }];
    expect(bodyFor({ messages }, { vendor: openai, model: "o3" })["messages"]).toEqual(messages as never);
    expect(bodyFor({ messages })["messages"]).toEqual([{ role: "system", content: "Be brief." }] as never);
  });
});

describe("extra fields of the client", () => {
  test("are passed on unchanged", () => {
    const wireFields = { top_k: 4, filters: { a: 1 } };
    expect(bodyFor({ wireFields })).toMatchObject(wireFields);
  });

  test("never override model, messages, streaming, limits or fields that we set", () => {
    const wireFields = {
      model: "dear",
      models: ["dear"],
      route: "fallback",
      messages: [],
      prompt: "x",
      stream: false,
      stream_options: null,
      max_tokens: 9e9,
      max_completion_tokens: 9e9,
      max_output_tokens: 9e9,
      n_predict: -1,
      num_predict: -1,
      options: { num_predict: -1 },
      n: 128,
      best_of: 20,
    };
    expect(bodyFor({ wireFields })).toEqual(bodyFor({}));
    expect(bodyFor({ wireFields: { tools: [], stop: ["x"] }, stop: ["y"] })).toMatchObject({ stop: ["y"] });
  });

  test("that no price covers are removed", () => {
    const wireFields = {
      service_tier: "priority",
      web_search_options: {},
      plugins: [{ id: "web" }],
      provider: {},
    };
    expect(bodyFor({ wireFields })).toEqual(bodyFor({}));
  });

  test("are also removed if their names use other case or lookalike letters", () => {
    const wireFields = { ſervice_tier: "priority", Beſt_Of: 20, ｍodels: ["dear"], toolſ: [], toplace: 1 };
    expect(bodyFor({ wireFields })).toEqual({ ...bodyFor({}), toplace: 1 });
  });

  test("that the vendor rejects are removed", () => {
    expect(bodyFor({ wireFields: { user: "u", top_k: 4 } }, { vendor: mistral })).not.toHaveProperty("user");
  });

  test("cannot reach the object's prototype", () => {
    const wireFields = JSON.parse('{"__proto__":{"polluted":1},"constructor":1}');
    const body = bodyFor({ wireFields });
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(body).toEqual({ ...bodyFor({}), constructor: 1 });
  });
});

describe("structured output", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { $schema: { type: "string", $schema: "x" }, a: { enum: [{ $schema: 1 }] } },
  };
  const responseFormat = { type: "json_schema" as const, name: "s", schema };

  test("loses the keywords that a vendor rejects, but not properties or values of that name", () => {
    expect(bodyFor({ responseFormat })["response_format"]).toMatchObject({
      json_schema: {
        schema: {
          type: "object",
          properties: { $schema: { type: "string" }, a: { enum: [{ $schema: 1 }] } },
        },
      },
    });
    expect(JSON.stringify(bodyFor({ responseFormat })["response_format"])).not.toContain("draft");
    expect(bodyFor({ responseFormat }, { vendor: openai })["response_format"]).toMatchObject({
      json_schema: { schema },
    });
  });

  test("is requested in the instructions from vendors that only support json_object", () => {
    for (const vendor of [deepseek, zai]) {
      const body = bodyFor({ responseFormat }, { vendor });
      expect(body["response_format"]).toEqual({ type: "json_object" });
      expect(JSON.stringify(body["messages"])).toContain("JSON Schema");
    }
  });

  test("without a schema is json_object", () => {
    expect(bodyFor({ responseFormat: { type: "json" } })["response_format"]).toEqual({ type: "json_object" });
  });
});

test("a document is sent under the vendor's name for it", () => {
  const messages: ChatMessage[] = [
    {
      role: "user",
      content: [{ type: "file", data: "AAAA", mediaType: "application/pdf", filename: "a.pdf" }],
    },
  ];
  const url = "data:application/pdf;base64,AAAA";
  const partFor = (vendor = openai) =>
    (bodyFor({ messages }, { vendor })["messages"] as never[])[0]?.["content"][0];
  expect(partFor()).toEqual({ type: "file", file: { filename: "a.pdf", file_data: url } } as never);
  expect(partFor(mistral)).toEqual({
    type: "document_url",
    document_url: url,
    document_name: "a.pdf",
  } as never);
  expect(partFor(perplexity)).toEqual({ type: "file_url", file_url: { url } } as never);
});

describe("missing reasoning of earlier turns", () => {
  const calls = {
    role: "assistant" as const,
    content: null,
    toolCalls: [{ id: "c", name: "f", arguments: "{}" }],
  };
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "I look." },
    calls,
    { role: "tool", toolCallId: "c", content: "1" },
    { ...calls, reasoning: [{ text: "hm" }] },
  ];
  const thoughtsFor = (vendor: WireVendor, given: ChatMessage[] = messages) =>
    (bodyFor({ messages: given }, { vendor })["messages"] as Record<string, unknown>[]).map(
      (message) => message["reasoning_content"],
    );
  const none = undefined;

  test("is sent as empty to vendors that require it beside calls", () => {
    expect(thoughtsFor(deepseek)).toEqual([none, "", "", none, "hm"]);
    expect(thoughtsFor(moonshot)).toEqual([none, none, " ", none, "hm"]);
    expect(thoughtsFor(zai)).toEqual([none, none, none, none, "hm"]);
  });

  test("is left out if the conversation has no calls", () => {
    expect(thoughtsFor(deepseek, messages.slice(0, 2))).toEqual([none, none]);
  });
});

test("a tool result is moved directly after its call", () => {
  const messages: ChatMessage[] = [
    { role: "assistant", content: null, toolCalls: [{ id: "c", name: "f", arguments: "{}" }] },
    { role: "user", content: "wait" },
    { role: "tool", toolCallId: "c", content: "1" },
  ];
  const sent = bodyFor({ messages })["messages"] as { role: string }[];
  expect(sent.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
});
