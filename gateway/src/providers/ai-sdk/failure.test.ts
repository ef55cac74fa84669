import { afterEach, describe, expect, test } from "bun:test";
import { APICallError, InvalidResponseDataError, JSONParseError } from "@ai-sdk/provider";
import { OPENINGS } from "../../../../test/attacks/garbled-vendors.ts";
import { ProviderFailure } from "../../contract/index.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createCohereProvider } from "./cohere.ts";
import { decodeErrorPart, failureOfError } from "./failure.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

/** Text from a model, which must never be in the log. */
const WRITTEN = "canaryanswer4714";

let upstream: TestUpstream | undefined;
afterEach(() => upstream?.close());

const FACTORIES = {
  google: createGoogleProvider,
  anthropic: createAnthropicProvider,
  cohere: createCohereProvider,
};

const GARBLED = {
  "is not JSON": [`{"text": "${WRITTEN}`, "AI_JSONParseError, SyntaxError"],
  "has another shape": [
    `{"type": "content_block_delta", "delta": "${WRITTEN}", "candidates": "${WRITTEN}"}`,
    "AI_TypeValidationError, ZodError",
  ],
} as const;

describe.each(Object.keys(FACTORIES) as (keyof typeof FACTORIES)[])("a chunk of %s", (name) => {
  test.each(Object.entries(GARBLED))("that %s is logged by its error names only", async (_, how) => {
    const [chunk, names] = how;
    const sent = [...OPENINGS[name].map((event: object) => JSON.stringify(event)), chunk];
    const text = sent.map((data) => `data: ${data}\n\n`).join("");
    upstream = startTestUpstream(
      () => new Response(text, { headers: { "content-type": "text/event-stream" } }),
    );
    const failure = await callOf(upstream.provider(FACTORIES[name]));
    if (!(failure instanceof ProviderFailure)) throw new Error("it was read");
    expect([failure.kind, failure.detail.internal]).toEqual(["unavailable", names]);
    expect(failure.publicMessage).not.toContain(WRITTEN);
  });
});

describe("an error thrown by the library", () => {
  const broken = new JSONParseError({ text: WRITTEN, cause: new SyntaxError(WRITTEN) });
  const call = (statusCode: number | undefined) =>
    new APICallError({
      message: `Cannot read ${WRITTEN}`,
      url: "https://acme.example/v1",
      requestBodyValues: {},
      statusCode,
      responseBody: WRITTEN,
      cause: broken,
    });

  test.each([
    ["an answer that could not be read", call(200), "200 AI_APICallError, AI_JSONParseError, SyntaxError"],
    ["a call without an answer", call(undefined), "AI_APICallError, AI_JSONParseError, SyntaxError"],
    ["invalid data", new InvalidResponseDataError({ data: WRITTEN }), "AI_InvalidResponseDataError"],
    ["a bug of its own", new TypeError(`${WRITTEN} is not a function`), "TypeError"],
    [
      "an error whose name contains text",
      Object.assign(new Error("x"), { name: `a ${WRITTEN}` }),
      "an error without a name",
    ],
    ["a string", WRITTEN, "an error without a name"],
    ["an object", { name: WRITTEN, message: WRITTEN }, "an error without a name"],
    ["undefined", undefined, "an error without a name"],
  ])("%s is logged without any text of the model", (_name, thrown, internal) => {
    for (const failure of [failureOfError(thrown, []), decodeErrorPart(thrown, [])]) {
      expect([failure.kind, failure.detail.internal]).toEqual(["unavailable", internal]);
    }
  });

  test("an error response of the provider is logged by its status", () => {
    const failure = failureOfError(call(529), []);
    expect([failure.kind, failure.detail.internal]).toEqual(["unavailable", "529"]);
  });
});
