import { afterEach, expect, test } from "bun:test";
import type { ChatRequest } from "../contract.ts";
import { createCohereProvider } from "./cohere.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

const TOOLS = [{ name: "look", parameters: { type: "object", properties: {} } }];
const SCHEMA = { type: "object", properties: { count: { type: "number" } }, required: ["count"] };
const FORMS: readonly ChatRequest["responseFormat"][] = [
  { type: "json" },
  { type: "json_schema", name: "count", description: "How many", schema: SCHEMA },
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
  "%s is asked in words for JSON beside tools",
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
])("%s is asked by a field where it takes one", async (model, more) => {
  for (const responseFormat of FORMS) {
    const sent = await sentTo(createGoogleProvider, model, { responseFormat, ...more });
    expect(sent).toMatchObject({ generationConfig: { responseMimeType: "application/json" } });
    expect(sent["systemInstruction"]).toBeUndefined();
    upstream.close();
  }
});

test("cohere takes no form beside tools either", async () => {
  const [responseFormat] = FORMS;
  const besides = await sentTo(createCohereProvider, "command-a", { responseFormat, tools: TOOLS });
  expect(besides["response_format"]).toBeUndefined();
  expect(JSON.stringify(besides["messages"])).toContain("JSON");
  upstream.close();
  const alone = await sentTo(createCohereProvider, "command-a", { responseFormat });
  expect(alone["response_format"]).toEqual({ type: "json_object" });
});

test("a form that nobody here knows is refused before anything is sent", async () => {
  upstream = startTestUpstream(() => Response.json({}));
  const body = { response_format: { type: "grammar", grammar: "root ::= x" } };
  const wire = { kind: "chat_completions" as const, body, wantsWhole: false };
  const failure = await callOf(
    upstream.provider(createGoogleProvider),
    { wire },
    { model: "gemini-2.5-pro" },
  );
  expect(failure).toMatchObject({ kind: "rejected" });
  expect(String(failure)).toContain("response_format: ");
  expect(upstream.sent).toEqual([]);
});
