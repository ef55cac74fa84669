import { describe, expect, test } from "bun:test";
import type { ChatMessage, ChatRequest } from "../../contract.ts";
import { bodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";
import { WIRE_VENDORS } from "../vendors.ts";

const { openai, mistral, deepseek, moonshot, zai, openrouter, perplexity } = WIRE_VENDORS;

describe("a request on the wire", () => {
  test("is a stream that asks for its usage", () => {
    expect(bodyFor({})).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 64,
    });
  });

  test("does not ask for usage where that is refused", () => {
    expect(bodyFor({}, { vendor: mistral })).not.toHaveProperty("stream_options");
  });

  test("carries every neutral field", () => {
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

  test("has no choice of tools without tools, and no format where plain text is asked for", () => {
    const body = bodyFor({ tools: [], toolChoice: "auto", responseFormat: { type: "text" }, stop: [], n: 1 });
    for (const field of ["tools", "tool_choice", "response_format", "stop", "n"])
      expect(body).not.toHaveProperty(field);
  });

  test("calls seed and effort as its vendor does", () => {
    expect(bodyFor({ seed: 5 }, { vendor: mistral })).toMatchObject({ random_seed: 5 });
    expect(bodyFor({ reasoningEffort: "high" }, { vendor: openrouter })).toMatchObject({
      reasoning: { effort: "high" },
    });
  });
});

describe("the limit of the answer", () => {
  test.each([
    ["gpt-4o-mini", "max_tokens"],
    ["llama-3", "max_tokens"],
    ["o1", "max_completion_tokens"],
    ["o4-mini", "max_completion_tokens"],
    ["gpt-5.1", "max_completion_tokens"],
    ["gpt-5-chat-latest", "max_completion_tokens"],
    ["openai/gpt-5-mini", "max_completion_tokens"],
    ["o1000-of-somebody", "max_tokens"],
  ])("of %s is called %s", (model, field) => {
    const body = bodyFor({}, { vendor: openai, model });
    expect([body["max_tokens"], body["max_completion_tokens"]].filter(Boolean)).toEqual([64]);
    expect(body[field]).toBe(64);
  });
});

describe("models that think", () => {
  test("get no temperature, others do", () => {
    const request = { temperature: 0.3, topP: 0.9 };
    expect(bodyFor(request, { vendor: openai, model: "o3" })).not.toHaveProperty("temperature");
    expect(bodyFor(request, { vendor: openai, model: "gpt-5-mini" })).not.toHaveProperty("top_p");
    expect(bodyFor(request, { vendor: openai, model: "gpt-5-chat-latest" })).toMatchObject({
      temperature: 0.3,
    });
    expect(bodyFor(request, { vendor: openai, model: "gpt-4o" })).toMatchObject({
      temperature: 0.3,
      top_p: 0.9,
    });
  });

  test("know the developer; to others it is the system", () => {
    const messages: ChatMessage[] = [{ role: "developer", content: "Be brief." }];
    expect(bodyFor({ messages }, { vendor: openai, model: "o3" })["messages"]).toEqual(messages as never);
    expect(bodyFor({ messages })["messages"]).toEqual([{ role: "system", content: "Be brief." }] as never);
  });
});

describe("fields of the client's own", () => {
  test("go along as they are", () => {
    expect(bodyFor({ wireFields: { top_k: 4, metadata: { a: 1 } } })).toMatchObject({
      top_k: 4,
      metadata: { a: 1 },
    });
  });

  test("never set the model, the prompt, the stream or a limit, nor what we say ourselves", () => {
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

  test("that no price covers do not go out", () => {
    const wireFields = {
      service_tier: "priority",
      web_search_options: {},
      plugins: [{ id: "web" }],
      provider: {},
    };
    expect(bodyFor({ wireFields })).toEqual(bodyFor({}));
  });

  test("are ours in whatever letters, those that only look like others too", () => {
    const wireFields = { ſervice_tier: "priority", Beſt_Of: 20, ｍodels: ["dear"], toolſ: [], toplace: 1 };
    expect(bodyFor({ wireFields })).toEqual({ ...bodyFor({}), toplace: 1 });
  });

  test("that the vendor refuses are left out", () => {
    expect(bodyFor({ wireFields: { user: "u", top_k: 4 } }, { vendor: mistral })).not.toHaveProperty("user");
  });

  test("cannot reach the object's prototype", () => {
    const wireFields = JSON.parse('{"__proto__":{"polluted":1},"constructor":1}');
    const body = bodyFor({ wireFields });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({ model: "m", stream: true });
  });
});

describe("structured output", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { $schema: { type: "string", $schema: "x" }, a: { enum: [{ $schema: 1 }] } },
  };
  const responseFormat = { type: "json_schema" as const, name: "s", schema };

  test("loses the keywords that a server refuses, not properties or values of that name", () => {
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

  test("is asked for in words where a server knows only JSON", () => {
    for (const vendor of [deepseek, zai]) {
      const body = bodyFor({ responseFormat }, { vendor });
      expect(body["response_format"]).toEqual({ type: "json_object" });
      expect(JSON.stringify(body["messages"])).toContain("JSON Schema");
    }
  });

  test("of any shape is json_object", () => {
    expect(bodyFor({ responseFormat: { type: "json" } })["response_format"]).toEqual({ type: "json_object" });
  });
});

test("a document is called what its vendor calls it", () => {
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

describe("thoughts that nobody kept", () => {
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

  test("are said to be none wherever a server asks for them beside calls", () => {
    expect(thoughtsFor(deepseek)).toEqual([none, "", "", none, "hm"]);
    expect(thoughtsFor(moonshot)).toEqual([none, none, " ", none, "hm"]);
    expect(thoughtsFor(zai)).toEqual([none, none, none, none, "hm"]);
  });

  test("are not spoken of where nothing was called", () => {
    expect(thoughtsFor(deepseek, messages.slice(0, 2))).toEqual([none, none]);
  });
});

test("a result stands behind its call, whatever was said meanwhile", () => {
  const messages: ChatMessage[] = [
    { role: "assistant", content: null, toolCalls: [{ id: "c", name: "f", arguments: "{}" }] },
    { role: "user", content: "wait" },
    { role: "tool", toolCallId: "c", content: "1" },
  ];
  const sent = bodyFor({ messages })["messages"] as { role: string }[];
  expect(sent.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
});
