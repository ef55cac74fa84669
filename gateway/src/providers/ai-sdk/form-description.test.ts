import { afterEach, expect, test } from "bun:test";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const CLOSED = {
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
  additionalProperties: false,
};
const MAP = { type: "object", additionalProperties: { type: "number" } };
const NAMED = { $ref: "#/$defs/closed", $defs: { closed: CLOSED } };

async function sentFor(
  factory: Parameters<TestUpstream["provider"]>[0],
  model: string,
  schema: unknown,
): Promise<string> {
  upstream = startTestUpstream(events());
  const responseFormat = { type: "json_schema", name: "count", description: "How many.", schema } as const;
  await callOf(upstream.provider(factory), { responseFormat }, { model });
  return upstream.sent[0]?.text ?? "";
}

test.each([
  ["Claude, in its field", createAnthropicProvider, "claude-opus-5", CLOSED],
  ["Claude, as a tool", createAnthropicProvider, "claude-opus-5", MAP],
  ["Claude, behind a $ref", createAnthropicProvider, "claude-opus-5", NAMED],
  ["Gemini", createGoogleProvider, "gemini-3-pro-preview", CLOSED],
  ["Gemini, behind a $ref", createGoogleProvider, "gemini-2.5-pro", NAMED],
  ["Bedrock", createBedrockProvider, "us.anthropic.claude-opus-4-6-v1", CLOSED],
])("the description of a response schema is sent once: %s", async (_who, factory, model, schema) => {
  const sent = await sentFor(factory, model, schema);
  expect(sent.match(/"description(?:":|\\":\\)"How many\./g)).toHaveLength(1);
});

test.each([
  [createAnthropicProvider, "claude-opus-5"],
  [createGoogleProvider, "gemini-3-pro-preview"],
])("a schema with its own description keeps it: %p", async (factory, model) => {
  const sent = await sentFor(factory, model, { ...CLOSED, description: "Its own." });
  expect(sent).toContain('"description":"Its own."');
  expect(sent).not.toContain("How many.");
});
