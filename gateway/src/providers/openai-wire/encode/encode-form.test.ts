import { describe, expect, test } from "bun:test";
import type { ChatRequest } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { createAddress } from "../address.ts";
import { exchangeOf } from "../exchange.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";

const { groq, together, zai } = WIRE_VENDORS;
const SCHEMA = { type: "object", properties: { count: { type: "number" } } };
const TOOLS = [{ name: "look", parameters: { type: "object", properties: {} } }];
const WIRE_TOOLS = [{ type: "function", function: TOOLS[0] }];

type Form = { readonly neutral: ChatRequest["responseFormat"]; readonly given: Record<string, unknown> };
const FORMS: readonly Form[] = [
  { neutral: { type: "json" }, given: { type: "json_object" } },
  {
    neutral: { type: "json_schema", name: "count", description: "How many", schema: SCHEMA },
    given: { type: "json_schema", json_schema: { name: "count", description: "How many", schema: SCHEMA } },
  },
];

describe.each(FORMS)(
  "a response format that the vendor takes neither streamed nor with tools: $given.type",
  ({ neutral, given }) => {
    const request: Partial<ChatRequest> = { ...(neutral === undefined ? {} : { responseFormat: neutral }) };
    const doors = (vendor: typeof groq | typeof together, tools = false) => [
      bodyFor({ ...request, ...(tools ? { tools: TOOLS } : {}) }, { vendor }),
      wireBodyFor(
        { response_format: given, stream: true, ...(tools ? { tools: WIRE_TOOLS } : {}) },
        { vendor, request: { ...request, ...(tools ? { tools: TOOLS } : {}) } },
      ),
    ];

    test("is requested without streaming", () => {
      for (const body of doors(groq)) {
        expect(body["response_format"]).toEqual(given);
        expect(body).not.toContainAnyKeys(["stream", "stream_options"]);
      }
    });

    test("is requested in the instructions if there are tools, and then streamed", () => {
      for (const body of doors(groq, true)) {
        expect(body).not.toHaveProperty("response_format");
        expect(body).toMatchObject({ stream: true, tools: WIRE_TOOLS });
        const words = JSON.stringify((body["messages"] as { role: string; content: string }[])[0]);
        expect(words).toContain("JSON");
        if (given["type"] === "json_schema") {
          expect(words).toContain("How many");
          expect(words).toContain(JSON.stringify(JSON.stringify(SCHEMA)).slice(1, -1));
        }
      }
    });

    test("is requested with streaming from other vendors", () => {
      for (const body of [...doors(together), ...doors(together, true)]) {
        expect(body["response_format"]).toEqual(given);
        expect(body).toMatchObject({ stream: true, messages: [{ role: "user" }] });
      }
    });

    test("of a Responses request is sent without streaming if the vendor only has chat completions", () => {
      const settings = { name: "acme", kind: null, baseUrl: null, apiKey: null };
      const vendor = { ...groq, speaksResponses: false };
      const { body } = exchangeOf(
        {
          ...request,
          messages: [{ role: "user", content: "hi" }],
          maxOutputTokens: 64,
          wire: { kind: "responses", body: { input: "hi" } },
        },
        { vendor, model: "m", namespace: "acme" },
        createAddress(settings, vendor),
      );
      expect(body["response_format"]).toEqual(given);
      expect(body).not.toHaveProperty("stream");
    });
  },
);

test("a JSON schema that is requested in the instructions comes with its description", () => {
  const form = { name: "count", description: "How many", schema: SCHEMA };
  const request: Partial<ChatRequest> = { responseFormat: { type: "json_schema", ...form } };
  const given = { type: "json_schema", json_schema: form };
  for (const body of [
    bodyFor(request, { vendor: zai }),
    wireBodyFor({ response_format: given }, { vendor: zai, request }),
  ]) {
    expect(body["response_format"]).toEqual({ type: "json_object" });
    const [words] = body["messages"] as { content: string }[];
    expect(words?.content).toContain("How many");
    expect(words?.content).toContain(JSON.stringify(SCHEMA));
  }
});

test("a plain-text request to such a vendor is streamed", () => {
  expect(bodyFor({}, { vendor: groq })).toMatchObject({ stream: true });
  expect(bodyFor({ responseFormat: { type: "text" }, tools: TOOLS }, { vendor: groq })).toMatchObject({
    stream: true,
    messages: [{ role: "user" }],
  });
});
