import { describe, expect, test } from "bun:test";
import { never } from "../../outbound/testing.ts";
import { base64, pngBytes, startMediaServer } from "./media/media-testing.ts";
import { neutralResponseReading, responseReading } from "./responses/response-reading.ts";
import { decodeChunks, decodeWhole, delta, expecting, STOP, streamed } from "./testing.ts";

/** Some servers send an empty error with every good answer, because their type has the field. */
const NOTHING = [null, "", false, {}, []];
const SAID = [{ message: "no" }, { code: 400 }, "no"];
const named = (values: readonly unknown[]) => values.map((value) => [JSON.stringify(value), value] as const);

const choices = [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }];
const output = [
  { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
];

describe("beside a good answer", () => {
  test.each(named(NOTHING))("an error of %s is ignored", (_, error) => {
    const hi = { type: "text", text: "Hi" };
    expect(decodeWhole({ choices, error })).toMatchObject([hi, { type: "finish", reason: "stop" }]);
    expect(
      decodeChunks([
        { ...delta({ content: "Hi" }), error },
        { ...STOP, error },
      ]),
    ).toMatchObject([hi, { type: "finish", reason: "stop" }]);
  });

  test.each(named(NOTHING))(
    "an error of %s is ignored in chunks before, inside and after the choices",
    (_, error) => {
      const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
      const said = delta({ content: "Hi" });
      const inChoice = {
        ...said,
        choices: (said.choices as object[]).map((choice) => ({ ...choice, error })),
      };
      expect(
        decodeChunks([
          { choices: [], prompt_filter_results: [], error },
          inChoice,
          STOP,
          { choices: [], usage, error },
        ]),
      ).toMatchObject([
        { type: "text", text: "Hi" },
        { type: "finish", reason: "stop", usage: { inputTokens: 3, outputTokens: 1 } },
      ]);
      expect(decodeChunks([said, STOP, { usage, error }])).toHaveLength(2);
    },
  );

  test.each(named(NOTHING))("an error of %s in a response is ignored", (_, error) => {
    const response = { status: "completed", output, error };
    const text = { type: "response.output_text.delta", item_id: "m", delta: "Hi", error };
    for (const reading of [responseReading(expecting()), neutralResponseReading(expecting())]) {
      const { finish } = streamed(reading, [text, { type: "response.completed", response }]);
      expect(finish).toMatchObject({ type: "finish", reason: "stop" });
      expect(reading.whole(response).at(-1)).toMatchObject({ type: "finish", reason: "stop" });
    }
  });

  test("an empty error is not passed on, because clients throw if there is one", () => {
    const reading = responseReading(expecting());
    const text = { type: "response.output_text.delta", item_id: "m", delta: "Hi", error: {} };
    const response = { status: "completed", output };
    const { chunks } = streamed(reading, [text, { type: "response.completed", response }]);
    expect(JSON.stringify(chunks)).toContain("Hi");
    expect(JSON.stringify(chunks)).not.toContain("error");
  });

  test.each(named(NOTHING))("an error of %s is ignored for generated images", async (_, error) => {
    const data = [{ b64_json: base64(pngBytes()) }];
    const server = startMediaServer(() => Response.json({ data, error }));
    const request = { prompt: "a cat", aspectRatio: "1:1", tier: "1k", n: 1 } as const;
    const made = await server.provider().image?.makeImages("m", request, { requestId: "r", signal: never() });
    expect(made).toHaveLength(1);
    await server.close();
  });

  test.each(named(SAID))("an error of %s fails the call", (_, error) => {
    expect(() => decodeWhole({ choices, error })).toThrow();
    expect(() => decodeChunks([{ ...delta({ content: "Hi" }), error }, STOP])).toThrow();
    const reading = responseReading(expecting());
    expect(() => reading.whole({ status: "completed", output, error })).toThrow();
  });
});

test("an empty error without an answer beside it fails the call", () => {
  expect(() => decodeWhole({ error: {} })).toThrow("unavailable");
  expect(() => decodeWhole({ error: {}, choices: [] })).toThrow("unavailable");
  expect(() => decodeChunks([delta({ content: "Hi" }), STOP, { error: {} }])).toThrow("unavailable");
  expect(() => streamed(responseReading(expecting()), [{ error: {} }])).toThrow("unavailable");
  expect(() => streamed(responseReading(expecting()), [{ type: "response.error", error: {} }])).toThrow();
  expect(() => responseReading(expecting()).whole({ status: "failed", output, error: {} })).toThrow();
  expect(() => responseReading(expecting()).whole({ output: [], error: {} })).toThrow();
});
