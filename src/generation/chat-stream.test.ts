import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openLedgerBooks } from "../../test/ledger-books.ts";
import { KEY_ID } from "../../test/paid-items.ts";
import { roundsOfRun } from "../../test/rounds-of-run.ts";
import { deltaFrame, goodFrames, ROLE } from "../../test/upstream/chat-wire.ts";
import { answerIn, cutAt } from "../../test/upstream/cut-answer.ts";
import { modelFrom } from "../catalog/testing.ts";
import { newId, systemClock } from "../kit/index.ts";
import { createBreaker, createPublicFetch, createRegistry } from "../providers/index.ts";
import { createOpenAiWireProvider, WIRE_VENDORS } from "../providers/openai-wire/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createAnswerPace } from "./answer/answer-pace.ts";
import type { ChatCall } from "./chat-call.ts";
import { knownCounts, NO_SUMS, quote } from "./chat-call-testing.ts";
import { createChatStream } from "./chat-stream.ts";
import { createPaidCall } from "./paid-call/paid-call.ts";
import { createRunningCalls } from "./paid-call/running-calls.ts";
import { createSureSettler } from "./paid-call/settle-surely.ts";
import { createTokenCorrections } from "./token-correction/token-correction.ts";

/** However the network cuts a stream into reads, the answer and its price are the same. */

const books = await openLedgerBooks();
afterAll(() => books.database.drop());

/** One credit per token; a second provider is tried if the first has sent nothing. */
const MODEL = {
  ...modelFrom({
    type: "text",
    credits_per_request: 1,
    price: { input_per_million: 1_000_000, output_per_million: 1_000_000 },
    limits: { context_tokens: 100_000, max_output_tokens: 100 },
  }),
  targets: [
    { provider: "acme", model: "m" },
    { provider: "other", model: "m" },
  ],
};

const CREDITS = 100_000;
const orgId = await books.found(CREDITS);
const metrics = { ended: () => {}, refused: () => {}, writtenOff: () => {}, disbelieved: () => {} };
const shared = { metrics, log: silentLog, clock: systemClock };
const startCall = createPaidCall({
  ...shared,
  admitter: books.admitter,
  settler: createSureSettler({ ...shared, ledger: books.ledger, giveUpAfterMs: 30_000 }),
  running: createRunningCalls(),
});

function providerOf(name: string, pieces: readonly Uint8Array[]) {
  const settings = { name, kind: null, baseUrl: "http://upstream.test/v1", apiKey: "k" };
  const outbound = async () => answerIn(pieces);
  const deps = { outbound, fetchPublic: createPublicFetch() };
  return createOpenAiWireProvider(settings, WIRE_VENDORS["openai-wire"], deps);
}

/** On the caller's own wire, or neutral. */
function chatCall(isWire: boolean): ChatCall {
  const body = { messages: [{ role: "user", content: "hi" }] };
  const texts = { isFixed: () => true, rewrite: () => body };
  const wire = { kind: "chat_completions" as const, body, texts };
  const { call } = quote(isWire ? { wire } : {}, { model: MODEL });
  const { principal, plan } = call;
  return {
    ...call,
    requestId: newId(),
    principal: { ...principal, keyId: KEY_ID, organization: { ...principal.organization, id: orgId } },
    plan: { ...plan, requestsPerMinute: 1_000_000 },
  };
}

type Seen = { readonly text: string; readonly ended: string; readonly charged: number };

/** What a client gets, and what its organization pays. */
async function ask(pieces: readonly Uint8Array[], isWire = false): Promise<Seen> {
  const elsewhere = goodFrames(["from", " elsewhere"]).map((text) => Buffer.from(text));
  const open = createChatStream({
    ...shared,
    startCall,
    registry: createRegistry([providerOf("acme", pieces), providerOf("other", elsewhere)]),
    breaker: createBreaker(shared),
    corrections: createTokenCorrections(NO_SUMS),
    pace: createAnswerPace({ firstByteMs: 120_000 }),
    timeoutMs: 60_000,
    countFor: knownCounts,
  });
  const before = await books.ledger.account(orgId);
  const stream = await open(chatCall(isWire));
  let text = "";
  let ended = "";
  for (let part = await stream.next(); part !== null; part = await stream.next()) {
    if (part.type === "events")
      text += part.events.map((event) => ("text" in event ? event.text : "")).join("");
    else ended = part.type === "done" ? `done, ${part.paid.outcome.finishReason}` : part.error.message;
  }
  const after = await books.ledger.account(orgId);
  expect(Number(after.anytimeHeld)).toBe(0);
  return { text, ended, charged: before.anytimeAvailable - after.anytimeAvailable };
}

async function seenHoweverCut(frames: readonly string[]): Promise<Seen> {
  const pieces = frames.map((text) => Buffer.from(text));
  const bytes = Buffer.concat(pieces);
  const expected = await ask(pieces);
  expect(await ask([bytes]), "whole").toEqual(expected);
  const property = fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), async (places) => {
    expect(await ask(cutAt(bytes, places))).toEqual(expected);
  });
  await fc.assert(property, { numRuns: roundsOfRun(60) });
  return expected;
}

const DEEP = `data: ${"[".repeat(1_000)}${"]".repeat(1_000)}\n\n`;
const FAILED = { ended: "The model's provider failed (server error). Nothing was charged.", charged: 0 };
/** We cut it ourselves: the length of an answer is for its caller to choose. */
const CUT = { ended: "done, length", charged: 11 };
const BAD: readonly (readonly [string, string, Omit<Seen, "text">])[] = [
  ["no JSON", "data: {not json\n\n", FAILED],
  ["no object", "data: null\n\n", FAILED],
  ["more than we read", DEEP, CUT],
];

describe.each(BAD)("however the network cuts an answer that goes on with %s", (_, bad, ending) => {
  const words = ["Hello", " from", " here"];
  const good = [ROLE, ...words.map((content) => deltaFrame({ content }))];

  test("the client has what came before it, nobody else is asked, and only a cut of ours is charged", async () => {
    expect(await seenHoweverCut([...good, bad])).toEqual({ text: words.join(""), ...ending });
  });

  test("what came before it past the limit is our own cut, and charged", async () => {
    const flood = " word".repeat(400);
    const seen = await seenHoweverCut([...good, deltaFrame({ content: flood }), bad]);
    expect([seen.text, seen.ended]).toEqual([words.join("") + flood, "done, length"]);
    expect(seen.charged).toBeGreaterThan(100);
  });

  test("its end before it is the end, charged as reported", async () => {
    const seen = await seenHoweverCut([...goodFrames(words), bad]);
    expect(seen).toEqual({ text: words.join(""), ended: "done, stop", charged: 11 + words.length });
  });

  test("another is asked where nothing came before it", async () => {
    const seen = await seenHoweverCut([ROLE, bad]);
    expect(seen).toEqual({ text: "from elsewhere", ended: "done, stop", charged: 11 + 2 });
  });
});

test("what came before a line that is longer than any reply is our own cut, and charged", async () => {
  const pieces = [ROLE, deltaFrame({ content: "Hello" }), "data: "].map((text) => Buffer.from(text));
  const line = Array.from({ length: 33 }, () => Buffer.alloc(1 << 20, "a"));
  expect(await ask([...pieces, ...line])).toEqual({ text: "Hello", ended: "done, length", charged: 9 });
});

test.each([
  ["in neutral words", false],
  ["in the caller's own wire", true],
])("a picture of several megabytes in one chunk is a part of its answer: %s", async (_, isWire) => {
  const url = `data:image/png;base64,${"iVBORw0KGgo=".repeat(500_000)}`;
  const images = [{ type: "image_url", image_url: { url } }];
  const [role, ...rest] = goodFrames(["Hello"]);
  const frames = [role ?? "", deltaFrame({ images }), ...rest].map((text) => Buffer.from(text));
  expect(await ask(frames, isWire)).toMatchObject({ ended: "done, stop", charged: 12 });
});

describe("however the network cuts an answer that writes past its limit", () => {
  const words = Array.from({ length: 400 }, () => deltaFrame({ content: " word" }));

  test("what lies beyond is withheld, also where it came with what does not", async () => {
    const seen = await seenHoweverCut([ROLE, ...words]);
    expect(seen.ended).toBe("done, length");
    // Half more than the hundred, some slack, and an eighth of that.
    expect(seen.text.length / " word".length).toBeWithin(214, 242);
  });
});

test.each([
  ["in neutral words", false],
  ["in the caller's own wire", true],
])(
  "an end that comes with the word that is one too many is still the end, charged as reported: %s",
  async (_, isWire) => {
    const bytes = Buffer.from(goodFrames([" word".repeat(400)]).join(""));
    expect(await ask([bytes], isWire)).toMatchObject({ ended: "done, stop", charged: 12 });
  },
);
