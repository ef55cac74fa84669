import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { roundsOfRun } from "../../../../test/rounds-of-run.ts";
import { frame } from "../../../../test/upstream/chat-wire.ts";
import { answerIn, cutAt } from "../../../../test/upstream/cut-answer.ts";
import { type Provider, ProviderFailure } from "../../contract/index.ts";
import { never } from "../../outbound/testing.ts";
import type { ProviderSettings } from "../settings.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createCohereProvider } from "./cohere.ts";
import { createGoogleProvider } from "./google.ts";
import type { AiSdkDeps } from "./library-fetch.ts";
import { HELLO } from "./testing.ts";

type Create = (settings: ProviderSettings, deps: AiSdkDeps) => Provider;
type Seen = { readonly text: string; readonly ended: string };

const WORDS = ["Good", " day", " to", " 日本"];
/** Answers that have begun, up to the end of this text. */
const BEGUN: readonly (readonly [string, Create, readonly object[]])[] = [
  [
    "anthropic",
    createAnthropicProvider,
    [
      {
        type: "message_start",
        message: { id: "m", model: "c", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...WORDS.map((text) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text },
      })),
    ],
  ],
  [
    "cohere",
    createCohereProvider,
    [
      { type: "message-start", id: "m" },
      { type: "content-start", index: 0, delta: { message: { content: { type: "text", text: "" } } } },
      ...WORDS.map((text) => ({
        type: "content-delta",
        index: 0,
        delta: { message: { content: { text } } },
      })),
    ],
  ],
  [
    "google",
    createGoogleProvider,
    WORDS.map((text) => ({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }] })),
  ],
];

async function read(create: Create, pieces: readonly Uint8Array[]): Promise<Seen> {
  const settings = { name: "acme", kind: null, baseUrl: "http://upstream.test", apiKey: "k" };
  const { text: model } = create(settings, { outbound: async () => answerIn(pieces) });
  let text = "";
  try {
    for await (const batch of model?.chat("some-model", HELLO, { requestId: "r", signal: never() }) ?? []) {
      expect(batch.length).toBeGreaterThan(0);
      text += batch.map((event) => ("text" in event ? event.text : "")).join("");
    }
    return { text, ended: "well" };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { text, ended: `${error.kind}: ${error.publicMessage}` };
  }
}

describe.each(BEGUN)("an answer of %s, however the network splits it", (_, create, begun) => {
  const good = begun.map((event) => frame({ ...event }));

  test.each([
    ["an event that is not JSON", "data: {not json\n\n", "could not be read"],
    ["an event that is not an object", "data: null\n\n", "could not be read"],
    ["a line that is too long", `data: ${"a".repeat(4 << 20)}`, "sent too much"],
    ["its early end", "", "broke off"],
  ])("is delivered up to %s, and then fails", async (_name, bad, ended) => {
    const bytes = Buffer.from(good.join("") + bad);
    const goodBytes = Buffer.byteLength(good.join(""));
    const expected = { text: WORDS.join(""), ended: expect.stringContaining(ended) };
    expect(await read(create, [bytes]), "whole").toEqual(expected);
    expect(
      await read(
        create,
        [...good, bad].map((text) => Buffer.from(text)),
      ),
      "by frame",
    ).toEqual(expected);
    // Cuts only around the good part: a cut within megabytes of padding shows little.
    const places = fc.array(fc.nat({ max: goodBytes + 10 }), { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(places, async (cuts) => {
      expect(await read(create, cutAt(bytes, cuts))).toEqual(expected);
    });
    await fc.assert(property, { numRuns: roundsOfRun(50) });
  });

  test.each([
    ["in one line", "["],
    ["over the lines of one event", "[\ndata: "],
  ])("is delivered up to an event that is nested too deeply, %s", async (_name, opening) => {
    const nested = opening.repeat(1_000) + "]".repeat(1_000);
    const bad = `: "\nevent: ]]\n${frame({ ...begun.at(-1) }).replace("{", `{"more":${nested},`)}`;
    const expected = { text: WORDS.join(""), ended: expect.stringContaining("could not be read") };
    const bytes = Buffer.from(good.join("") + bad + good.at(-1));
    expect(await read(create, [bytes]), "whole").toEqual(expected);
    const places = fc.array(fc.nat({ max: bytes.length }), { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(places, async (cuts) => {
      expect(await read(create, cutAt(bytes, cuts))).toEqual(expected);
    });
    await fc.assert(property, { numRuns: roundsOfRun(30) });
  });
});
