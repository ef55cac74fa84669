import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { seedOfRun } from "../../../../test/seed-of-run.ts";
import {
  DONE,
  deltaFrame,
  errorBody,
  frame,
  goodFrames,
  ROLE,
  STOP,
  USAGE,
  usageFrame,
} from "../../../../test/upstream/chat-wire.ts";
import { answerIn, cutAt } from "../../../../test/upstream/cut-answer.ts";
import { type ChatEvent, ProviderFailure } from "../../contract/index.ts";
import { neutralReading, type Reading, wireReading } from "./reading.ts";
import { responseReading } from "./responses/response-reading.ts";
import { expecting } from "./testing.ts";
import { WireBatches } from "./wire-batches.ts";

/** Longer than any frame here, so that only the intended ones are too long. */
const MAX_LINE_LENGTH = 600;
const MAX_EVENT_LENGTH = 900;
const LONG_LINE = `data: ${"a".repeat(MAX_LINE_LENGTH)}`;
const LONG_EVENT = `data: ${"a".repeat(MAX_LINE_LENGTH / 2)}\n`.repeat(4);
/** An ordinary run tries one of twenty-one places, and other runs others; a long one tries all of them. */
const STEP = process.env["BURSAR_TEST_LONG"] === "1" ? 1 : 21;
const FIRST_PLACE = 1 + (seedOfRun() % STEP);
const WORDS = ["Hello", " naïve", " 日本", " 🙂"];

type Seen = { readonly events: readonly ChatEvent[]; readonly ended: string };

async function read(reading: Reading, pieces: readonly Uint8Array[]): Promise<Seen> {
  const bounds = { ...reading.bounds, maxLineLength: MAX_LINE_LENGTH, maxEventLength: MAX_EVENT_LENGTH };
  const bounded = { ...reading, bounds, stream: () => reading.stream(), whole: () => [] };
  const events: ChatEvent[] = [];
  try {
    const answered = Promise.resolve(answerIn(pieces));
    for await (const batch of new WireBatches(() => ({ answered, reading: bounded }))) {
      expect(batch.length).toBeGreaterThan(0);
      events.push(...batch);
    }
    return { events, ended: "well" };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { events, ended: `${error.kind}: ${error.publicMessage} (${error.detail.internal})` };
  }
}

/** Whole, byte by byte, in two, and at random: always the same as when every frame comes alone. */
async function seenHoweverCut(reading: () => Reading, frames: readonly string[]): Promise<Seen> {
  const pieces = frames.map((text) => Buffer.from(text));
  const bytes = Buffer.concat(pieces);
  const expected = await read(reading(), pieces);
  expect(await read(reading(), [bytes]), "whole").toEqual(expected);
  expect(await read(reading(), cutAt(bytes, [...bytes.keys()])), "byte by byte").toEqual(expected);
  for (let place = FIRST_PLACE; place < bytes.length; place += STEP)
    expect(await read(reading(), cutAt(bytes, [place])), `at ${place}`).toEqual(expected);
  const places = fc.array(fc.nat(), { minLength: 2, maxLength: 8 });
  const property = fc.asyncProperty(places, async (cuts) => {
    expect(await read(reading(), cutAt(bytes, cuts))).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 10 });
  return expected;
}

function writtenIn({ events }: Seen): string {
  return events
    .map((event) => (event.type === "wire" ? event.written : "text" in event ? event.text : ""))
    .join("");
}

const UNREADABLE = "could not be read";
/** What no stream may contain, and the failure that it causes. */
const BAD: readonly (readonly [string, string, string])[] = [
  ["invalid JSON", "data: {not json\n\n", UNREADABLE],
  ["data that is not an object", frame("null"), UNREADABLE],
  ["an unfinished line that is too long", LONG_LINE, "an SSE line is longer"],
  ["a line that is too long", `${LONG_LINE}\n\n`, "an SSE line is longer"],
  ["an event that is too long", `${LONG_EVENT}\n`, "an SSE event is longer"],
  ["an error", frame(errorBody("slow down", { code: 429 })), "rate_limited: slow down"],
  ["an event named error", `event: error\n${frame({ message: "no" })}`, "unavailable"],
];

describe.each([
  ["neutral events", () => neutralReading(expecting({ n: 2 }))],
  ["wire chunks", () => wireReading(expecting({ n: 2 }), { isFirstForm: false })],
])("a chat in %s, however the network cuts it", (_, reading) => {
  const good = [ROLE, ...WORDS.map((content) => deltaFrame({ content }))];
  const half = {
    choices: [
      { index: 0, delta: { content: "GHOST" } },
      { index: 1, error: { message: "gone", code: 502 } },
    ],
  };

  test.each([
    ...BAD,
    ["a chunk with an error in one of two choices", frame(half), "gone"],
    ["[DONE] without a finish reason", DONE, "broke off"],
    ["[DONE] after more text", "", "broke off"],
  ])("is delivered up to %s, then fails", async (_name, bad, ended) => {
    const seen = await seenHoweverCut(reading, [...good, bad, deltaFrame({ content: "LATE" }), DONE]);
    expect(writtenIn(seen)).toBe(bad === "" ? `${WORDS.join("")}LATE` : WORDS.join(""));
    expect(seen.ended).toContain(ended);
  });

  test.each(BAD)("delivers nothing if it begins with %s", async (_name, bad, ended) => {
    const seen = await seenHoweverCut(reading, [bad, ...good, DONE]);
    expect(seen.events).toEqual([]);
    expect(seen.ended).toContain(ended);
  });

  test.each(BAD)("is complete if %s comes only after its end", async (_name, bad) => {
    const seen = await seenHoweverCut(reading, [...goodFrames(WORDS), bad]);
    expect([writtenIn(seen), seen.ended]).toEqual([WORDS.join(""), "well"]);
    expect(seen.events.at(-1)).toMatchObject({ type: "finish", usage: { outputTokens: WORDS.length } });
  });
});

describe("a response, however the network cuts it", () => {
  const reading = () => responseReading(expecting());
  const named = (type: string, fields: object) => `event: ${type}\n${frame({ type, ...fields })}`;
  const good = [
    named("response.created", { response: { id: "r" } }),
    ...WORDS.map((delta) => named("response.output_text.delta", { item_id: "m", delta })),
  ];
  const response = { id: "r", status: "completed", output: [], usage: null };
  const completed = named("response.completed", { response });
  const failure = { code: "server_error", message: "oops" };

  test.each([
    ...BAD,
    [
      "its own failure",
      named("response.failed", { response: { ...response, status: "failed", error: failure } }),
      "oops",
    ],
  ])("is delivered up to %s, then fails", async (_name, bad, ended) => {
    const seen = await seenHoweverCut(reading, [...good, bad, completed]);
    expect(writtenIn(seen)).toBe(WORDS.join(""));
    expect(seen.ended).toContain(ended);
  });

  test.each(BAD)("is complete if %s comes only after its end", async (_name, bad) => {
    const seen = await seenHoweverCut(reading, [...good, completed, bad]);
    expect([writtenIn(seen), seen.ended]).toEqual([WORDS.join(""), "well"]);
  });
});

test("a reader who stops before a failure does not receive it", async () => {
  const bytes = Buffer.from(`${deltaFrame({ content: "Hi" })}data: {not json\n\n`);
  const answered = Promise.resolve(answerIn([bytes]));
  const batches = new WireBatches(() => ({ answered, reading: neutralReading(expecting()) }));
  expect((await batches.next()).value).toEqual([{ type: "text", text: "Hi" }]);
  await batches.return();
  expect(await batches.next()).toEqual({ done: true, value: undefined });
});

test("isEnding is true once the finish reason has arrived, before the usage", async () => {
  const pieces = [
    deltaFrame({ content: "Hi" }),
    deltaFrame({ content: "." }) + STOP,
    usageFrame(USAGE) + DONE,
  ];
  const answered = Promise.resolve(answerIn(pieces.map((text) => Buffer.from(text))));
  const batches = new WireBatches(() => ({ answered, reading: neutralReading(expecting()) }));
  const seen: boolean[] = [];
  for await (const _ of batches) seen.push(batches.isEnding);
  expect(seen).toEqual([false, true, true]);
});
