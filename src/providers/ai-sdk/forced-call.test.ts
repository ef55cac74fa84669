import { afterEach, describe, expect, test } from "bun:test";
import type { ChatRequest, Provider } from "../contract.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

const TOOLS = [{ name: "look", parameters: { type: "object", properties: {} } }];
/** The library asks for it by a tool of its own, which must be called. */
const MAP: ChatRequest["responseFormat"] = {
  type: "json_schema",
  name: "counts",
  schema: { type: "object", additionalProperties: { type: "number" } },
};
const CLOSED: ChatRequest["responseFormat"] = {
  type: "json_schema",
  name: "count",
  schema: {
    type: "object",
    properties: { n: { type: "number" } },
    required: ["n"],
    additionalProperties: false,
  },
};

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sentBy(
  factory: Parameters<TestUpstream["provider"]>[0],
  model: string,
  request: Partial<ChatRequest>,
): Promise<string> {
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 403 }));
  const provider: Provider = upstream.provider(factory);
  await callOf(provider, { reasoningEffort: "high", ...request }, { model });
  return JSON.stringify(upstream.sent[0]?.body);
}

const THINKS = '"thinking":{"type":"adaptive"';

describe.each([
  ["anthropic", createAnthropicProvider, ""],
  ["bedrock", createBedrockProvider, "us.anthropic."],
] as const)("a call that must be made: %s", (_name, factory, prefix) => {
  test.each(["claude-opus-4-6", "claude-sonnet-4-6", "claude-opus-4-7"])(
    "%s does not think before it",
    async (model) => {
      const forced = { tools: TOOLS, toolChoice: "required" } as const;
      const sent = await sentBy(factory, prefix + model, forced);
      expect(sent).toContain("look");
      expect(sent).not.toContain('"thinking"');
      expect(sent).not.toContain("effort");
      upstream.close();
      const named = await sentBy(factory, prefix + model, { tools: TOOLS, toolChoice: { name: "look" } });
      expect(named).not.toContain('"thinking"');
      upstream.close();
      expect(await sentBy(factory, prefix + model, { tools: TOOLS, toolChoice: "auto" })).toContain(THINKS);
    },
  );

  test.each(["claude-opus-4-8", "claude-opus-5", "claude-sonnet-5"])("%s may think", async (model) => {
    const forced = { tools: TOOLS, toolChoice: "required" } as const;
    expect(await sentBy(factory, prefix + model, forced)).toContain(THINKS);
  });
});

test("a form that only a tool can ask for is such a call, and one that is asked for by itself is none", async () => {
  const model = "claude-opus-4-7";
  const map = await sentBy(createAnthropicProvider, model, { responseFormat: MAP });
  expect(map).toContain('"tool_choice":{"type":"any"');
  expect(map).not.toContain('"thinking"');
  upstream.close();
  const closed = await sentBy(createAnthropicProvider, model, { responseFormat: CLOSED });
  expect(closed).not.toContain("tool_choice");
  expect(closed).toContain(THINKS);
});

test.each(["claude-opus-4-6", "claude-sonnet-4-6", "claude-opus-4-7"])(
  "a form that is a tool at bedrock is such a call, too: %s",
  async (model) => {
    for (const responseFormat of [MAP, CLOSED]) {
      for (const tools of [[], TOOLS]) {
        const sent = await sentBy(createBedrockProvider, `us.anthropic.${model}`, { responseFormat, tools });
        expect(sent.includes('"toolChoice"') && sent.includes('"thinking"')).toBe(false);
        upstream.close();
      }
    }
  },
);

test("a form beside a call that must be made is no tool that could be called in its place: gemini", async () => {
  for (const toolChoice of ["required", { name: "look" }] as const) {
    const request = { responseFormat: CLOSED, tools: TOOLS, toolChoice };
    const sent = await sentBy(createGoogleProvider, "gemini-3-pro-preview", request);
    expect(sent).toContain('"name":"look"');
    expect(sent).not.toContain('"name":"json"');
    upstream.close();
  }
});
