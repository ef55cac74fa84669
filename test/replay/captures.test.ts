import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { chatChunkSchema, chatCompletionSchema } from "../../gateway/src/http/openai/chat/chat-schema.ts";
import { responseReplySchema } from "../../gateway/src/http/openai/responses/responses-schema.ts";
import { readResponseStream } from "../conformance/response-events.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import {
  type CapturedRequest,
  capturedRequests,
  hasCaptures,
  publishedSchemas,
} from "./captured-requests.ts";
import type { SchemaBook } from "./json-schema.ts";
import { printReport } from "./report.ts";

const ALIAS = "svc-code";

let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  gateway = await startTestGateway();
  own = await gateway.found({ credits: 1_000_000 });
});
afterAll(() => gateway.close());

function send({ path, headers, body }: CapturedRequest): Promise<Response> {
  return fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${own.key}` },
    body: JSON.stringify({ ...body, model: ALIAS }),
  });
}

async function replay(
  suite: string,
  path: CapturedRequest["path"],
  faultsOf: (text: string, captured: CapturedRequest) => readonly string[],
): Promise<void> {
  const captured = capturedRequests().filter((request) => request.path === path);
  const failures: string[] = [];
  for (const request of captured) {
    const response = await send(request);
    const text = await response.text();
    if (response.status === 400 && refersBack(request)) continue;
    const faults = response.status === 200 ? faultsOf(text, request) : [`${response.status} ${text}`];
    failures.push(...faults.map((fault) => `${request.name}: ${fault}`));
  }
  printReport({ suite, replayed: captured.length, failures, skipped: [] });
  expect(failures).toEqual([]);
  expect(captured.length).toBeGreaterThan(30);
}

/** Only `@ai-sdk/openai` with its defaults does, which assume that every response is stored. */
function refersBack({ body }: CapturedRequest): boolean {
  return JSON.stringify(body["input"] ?? "").includes('"type":"item_reference"');
}

/** How a value violates our own schema, which is stricter than the published one. */
function ownFaults(schema: z.ZodType, value: unknown): readonly string[] {
  return (
    schema.safeParse(value).error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? []
  );
}

describe.if(hasCaptures)("requests that real clients sent", () => {
  test("to /v1/responses are all answered in the published schemas, event by event", async () => {
    const official = publishedSchemas("openai.responses.pruned.json");
    const open = publishedSchemas("openresponses.2026-04-24.json");
    await replay("captured responses", "/v1/responses", (text, { body }) => {
      if (body["stream"] !== true) return responseFaults(JSON.parse(text), { official, open });
      const { events, response, faults } = readResponseStream(text);
      const wrong = events.flatMap((event) => [
        ...official.faults(schemaFor(official, event.type), event),
        ...(isPlain(event) ? open.faults(schemaFor(open, event.type), event) : []),
      ]);
      return [...faults, ...wrong, ...ownFaults(responseReplySchema, response)];
    });
  });

  test("to /v1/chat/completions are all answered in the published schemas, chunk by chunk", async () => {
    const official = publishedSchemas("openai.chat.pruned.json");
    await replay("captured chats", "/v1/chat/completions", (text, { body }) => {
      const [schema, name] =
        body["stream"] === true
          ? [chatChunkSchema, "CreateChatCompletionStreamResponse"]
          : [chatCompletionSchema, "CreateChatCompletionResponse"];
      return chatObjects(text, body["stream"] === true).flatMap((object) => [
        ...ownFaults(schema, object),
        ...official.faults(name, object),
      ]);
    });
  });
});

function responseFaults(
  response: unknown,
  { official, open }: { readonly official: SchemaBook; readonly open: SchemaBook },
): readonly string[] {
  return [
    ...ownFaults(responseReplySchema, response),
    ...official.faults("Response", response),
    ...(isPlain({ response }) ? open.faults("ResponseResource", response) : []),
  ];
}

/**
 * The stricter public suite knows only functions, no schema in the reply's format, and another name for deltas of
 * reasoning.
 */
function isPlain({ response, item, type }: Readonly<Record<string, unknown>>): boolean {
  if (/custom_tool_call|reasoning_text/.test(String(type))) return false;
  if (item !== undefined) return (item as { type: string }).type !== "custom_tool_call";
  if (response === undefined) return true;
  const { tools, text, output } = z
    .looseObject({
      tools: z.array(z.looseObject({ type: z.string() })),
      text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
      output: z.array(z.looseObject({ type: z.string() })),
    })
    .parse(response);
  const isFunction = tools.every((tool) => tool.type === "function");
  return (
    isFunction &&
    text.format.type !== "json_schema" &&
    output.every(({ type }) => type !== "custom_tool_call")
  );
}

function schemaFor(book: SchemaBook, eventType: string): string {
  const found = Object.entries(book.schemas).find(([, schema]) => {
    const properties = schema["properties"] as
      | Readonly<Record<string, { enum?: readonly string[] }>>
      | undefined;
    return properties?.["type"]?.enum?.[0] === eventType;
  });
  return found?.[0] ?? `of ${eventType}`;
}

function chatObjects(text: string, isStreamed: boolean): readonly unknown[] {
  if (!isStreamed) return [JSON.parse(text)];
  const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: {"));
  return frames.map((frame) => JSON.parse(frame.slice("data: ".length)));
}

describe.if(hasCaptures)("our own reply schemas", () => {
  const requiredBy = (schema: z.ZodType): readonly string[] => {
    const { $ref, $defs, required } = z.toJSONSchema(schema);
    return required ?? $defs?.[$ref?.split("/").at(-1) ?? ""]?.required ?? [];
  };
  const OURS = ["credits_charged", "balance", "efficiency"];

  test("require exactly the response keys that the strictest suite requires, and our three", () => {
    const { schemas } = publishedSchemas("openresponses.2026-04-24.json");
    const asked = schemas["ResponseResource"]?.["required"] as readonly string[];
    expect(asked).toHaveLength(31);
    expect(requiredBy(responseReplySchema).toSorted()).toEqual([...asked, ...OURS].toSorted());
  });

  test("require every published required key of a chat completion, and list the same finish reasons", () => {
    const { schemas } = publishedSchemas("openai.chat.pruned.json");
    for (const [name, schema] of [
      ["CreateChatCompletionResponse", chatCompletionSchema],
      ["CreateChatCompletionStreamResponse", chatChunkSchema],
    ] as const) {
      const asked = schemas[name]?.["required"] as readonly string[];
      expect(requiredBy(schema)).toEqual(expect.arrayContaining([...asked]));
      const ends = (found: unknown) =>
        JSON.stringify(found).match(/"finish_reason":\{.*?"enum":(\[.*?\])/)?.[1];
      expect(JSON.parse(ends(z.toJSONSchema(schema)) ?? "[]").toSorted()).toEqual(
        JSON.parse(ends(schemas[name]) ?? "[]").toSorted(),
      );
    }
  });
});
