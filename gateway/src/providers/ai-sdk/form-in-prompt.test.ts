import { afterEach, describe, expect, test } from "bun:test";
import type { ChatRequest } from "../../contract/index.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { createCohereProvider } from "./cohere.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

const TOOLS = [{ name: "look", parameters: { type: "object", properties: {} } }];
const SCHEMA = { type: "object", properties: { count: { type: "number" } }, required: ["count"] };
const FORMS: readonly ChatRequest["responseFormat"][] = [
  { type: "json" },
  { type: "json_schema", name: "count", description: "How many", schema: SCHEMA },
];

/** Claude models for which Bedrock's library never uses the field. */
const WITHOUT_FIELD = [
  "us.anthropic.claude-opus-4-7",
  "anthropic.claude-opus-4-8",
  "anthropic.claude-opus-5",
  "anthropic.claude-sonnet-5",
  "anthropic.claude-fable-5",
];

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sentTo(
  factory: Parameters<TestUpstream["provider"]>[0],
  model: string,
  request: Partial<ChatRequest>,
) {
  upstream = startTestUpstream(() => Response.json({ error: { message: "no" } }, { status: 400 }));
  await callOf(upstream.provider(factory), request, { model });
  return upstream.sent[0]?.body ?? {};
}

test.each(["gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.0-flash"])(
  "%s is asked for JSON in the prompt if there are tools",
  async (model) => {
    for (const responseFormat of FORMS) {
      const { generationConfig, systemInstruction } = await sentTo(createGoogleProvider, model, {
        responseFormat,
        tools: TOOLS,
      });
      expect(generationConfig).not.toContainAnyKeys(["responseMimeType", "responseJsonSchema"]);
      const words = JSON.stringify(systemInstruction);
      expect(words).toContain("JSON");
      if (responseFormat?.type === "json_schema") {
        expect(words).toContain("How many");
        expect(words).toContain(JSON.stringify(JSON.stringify(SCHEMA)).slice(1, -1));
      }
      upstream.close();
    }
  },
);

test.each([
  ["gemini-2.5-flash", {}],
  ["gemini-3.5-flash", { tools: TOOLS }],
  ["gemini-3.1-pro-preview", { tools: TOOLS }],
])("%s is asked for JSON by a field if it accepts one", async (model, more) => {
  for (const responseFormat of FORMS) {
    const sent = await sentTo(createGoogleProvider, model, { responseFormat, ...more });
    expect(sent).toMatchObject({ generationConfig: { responseMimeType: "application/json" } });
    expect(sent["systemInstruction"]).toBeUndefined();
    upstream.close();
  }
});

test("Cohere is asked for JSON in the prompt if there are tools, else by a field", async () => {
  const [responseFormat] = FORMS;
  const besides = await sentTo(createCohereProvider, "command-a", { responseFormat, tools: TOOLS });
  expect(besides["response_format"]).toBeUndefined();
  expect(JSON.stringify(besides["messages"])).toContain("JSON");
  upstream.close();
  const alone = await sentTo(createCohereProvider, "command-a", { responseFormat });
  expect(alone["response_format"]).toEqual({ type: "json_object" });
});

test("an unknown response_format is refused before anything is sent", async () => {
  upstream = startTestUpstream(() => Response.json({}));
  const body = { response_format: { type: "grammar", grammar: "root ::= x" } };
  const wire = { kind: "chat_completions" as const, body };
  const failure = await callOf(
    upstream.provider(createGoogleProvider),
    { wire },
    { model: "gemini-2.5-pro" },
  );
  expect(failure).toMatchObject({ kind: "rejected" });
  expect(String(failure)).toContain("response_format: ");
  expect(upstream.sent).toEqual([]);
});

describe.each([
  ["anthropic", createAnthropicProvider, "claude-opus-4-7"],
  ["an earlier model", createAnthropicProvider, "claude-3-5-haiku-latest"],
  ["bedrock", createBedrockProvider, "us.anthropic.claude-sonnet-4-6"],
])("a response schema that the library sends as a tool: %s", (_name, factory, model) => {
  const schema = { type: "object", additionalProperties: { type: "number" } };
  const responseFormat = { type: "json_schema", name: "counts", schema } as const;
  const sent = async (request: Partial<ChatRequest>) => {
    const text = JSON.stringify(await sentTo(factory, model, { responseFormat, ...request }));
    return { text, isInWords: text.includes("JSON Schema") };
  };

  test("is put into the prompt if the client has a tool of the same name", async () => {
    const { text, isInWords } = await sent({ tools: [{ name: "json" }, ...TOOLS] });
    expect(text.match(/"name":"json"/g)).toHaveLength(1);
    expect(isInWords).toBe(true);
    expect(text).not.toContain('"any"');
  });

  test("is put into the prompt if a call is forced", async () => {
    const named = await sent({ tools: TOOLS, toolChoice: { name: "look" } });
    expect(named.text).toMatch(/"tool":\{"name":"look"\}|"type":"tool","name":"look"/);
    upstream.close();
    const required = await sent({ tools: TOOLS, toolChoice: "required" });
    for (const { text, isInWords } of [named, required]) {
      expect(isInWords).toBe(true);
      expect(text).not.toContain('"name":"json"');
    }
  });

  test("is sent as a tool otherwise", async () => {
    const { text, isInWords } = await sent({ tools: TOOLS });
    expect(text).toContain('"name":"json"');
    expect(isInWords).toBe(false);
  });
});

test("a response schema with a field at Anthropic uses it even if a tool is named json", async () => {
  const schema = { ...SCHEMA, additionalProperties: false };
  const sent = await sentTo(createAnthropicProvider, "claude-opus-4-7", {
    responseFormat: { type: "json_schema", name: "count", schema },
    tools: [{ name: "json" }],
    toolChoice: { name: "json" },
  });
  expect(sent).toMatchObject({ output_config: { format: { type: "json_schema" } } });
  expect(sent["system"]).toBeUndefined();
});

test.each([
  ["anthropic", createAnthropicProvider, "claude-opus-4-7"],
  ["bedrock", createBedrockProvider, "us.anthropic.claude-opus-4-6-v1"],
])("a response schema that is only a $ref is resolved in its tool: %s", async (_name, factory, model) => {
  const node = {
    type: "object",
    properties: { next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
    required: ["next"],
    additionalProperties: false,
  };
  const schema = { $ref: "#/$defs/node", $defs: { node } };
  const sent = await sentTo(factory, model, {
    responseFormat: { type: "json_schema", name: "node", schema },
  });
  const tool = JSON.stringify(sent["tools"] ?? sent["toolConfig"]);
  expect(tool).toContain(JSON.stringify({ ...node, $defs: schema.$defs }).slice(1, -1));
});

describe.each([
  ["anthropic", createAnthropicProvider, "claude-opus-5"],
  ["an earlier model", createAnthropicProvider, "claude-3-5-haiku-latest"],
  ["bedrock", createBedrockProvider, "us.anthropic.claude-sonnet-4-6"],
  ...WITHOUT_FIELD.map((model) => [model, createBedrockProvider, model] as const),
])("a response schema that fits neither a field nor a tool: %s", (_name, factory, model) => {
  const map = { type: "object", additionalProperties: { type: "string" } };

  test.each([
    ["a list", { type: "array", items: map }],
    ["a choice", { type: "object", anyOf: [map, { type: "object", additionalProperties: false }] }],
    ["any value", { oneOf: [map, { type: "string" }] }],
  ])("is put into the prompt: %s", async (_form, schema) => {
    const responseFormat = { type: "json_schema", name: "o", schema } as const;
    for (const tools of [[], TOOLS]) {
      const text = JSON.stringify(await sentTo(factory, model, { responseFormat, tools }));
      // In our wording or the library's.
      expect(text).toMatch(/JSON schema/i);
      expect(text).not.toContain('"name":"json"');
      upstream.close();
    }
  });
});

test("a response schema in the prompt keeps thinking enabled", async () => {
  const schema = { type: "array", items: { type: "object", additionalProperties: { type: "string" } } };
  const responseFormat = { type: "json_schema", name: "o", schema } as const;
  const request = { responseFormat, reasoningEffort: "high" };
  const sent = await sentTo(createAnthropicProvider, "claude-sonnet-4-5", request);
  expect(sent["thinking"]).toMatchObject({ type: "enabled" });
});

test.each([
  ["anthropic", createAnthropicProvider, "claude-opus-4-7"],
  ["bedrock", createBedrockProvider, "us.anthropic.claude-opus-4-6-v1"],
])(
  "a tuple loses items: false in a field, and a property named items stays: %s",
  async (_name, factory, model) => {
    const closed = { required: ["pair"], additionalProperties: false };
    const pair = { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false };
    const formOf = async (schema: object) => {
      const sent = await sentTo(factory, model, {
        responseFormat: { type: "json_schema", name: "o", schema },
      });
      upstream.close();
      return JSON.stringify(sent["output_config"] ?? sent["additionalModelRequestFields"]);
    };
    const form = await formOf({ type: "object", properties: { pair }, ...closed });
    expect(form).toContain('"pair":{"type":"array"');
    expect(form).not.toContain('"items"');
    // These are names of properties, not keywords of the schema.
    const named = { type: "object", properties: { prefixItems: {}, items: false }, ...closed, required: [] };
    expect(await formOf(named)).toContain('"items":false');
  },
);

test.each(WITHOUT_FIELD)("a tuple keeps prefixItems and items: false in a tool: %s", async (model) => {
  const pair = { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false };
  const schema = { type: "object", properties: { pair }, required: ["pair"], additionalProperties: false };
  const responseFormat = { type: "json_schema", name: "o", schema } as const;
  const { toolConfig } = await sentTo(createBedrockProvider, model, { responseFormat });
  expect(JSON.stringify(toolConfig)).toContain(JSON.stringify(pair));
});
