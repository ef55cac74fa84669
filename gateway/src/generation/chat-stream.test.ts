import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { KEY_ID } from "../../../test/paid-items.ts";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { deltaFrame, goodFrames, ROLE } from "../../../test/upstream/chat-wire.ts";
import { answerIn, cutAt } from "../../../test/upstream/cut-answer.ts";
import { modelFrom } from "../catalog/testing.ts";
import { newId, systemClock } from "../kit/index.ts";
import { createBreaker, createPublicFetch } from "../outbound/index.ts";
import { createRegistry } from "../providers/index.ts";
import { createOpenAiWireProvider } from "../providers/openai-wire/index.ts";
import { WIRE_VENDORS } from "../providers/wire-vendors-testing.ts";
import { silentLog } from "../telemetry/index.ts";
import { createAnswerPace } from "./answer/answer-pace.ts";
import { createThinkingPace } from "./answer/thinking-pace.ts";
import type { ChatCall } from "./chat-call.ts";
import { knownCounts, NO_SUMS, noMarks, quote } from "./chat-call-testing.ts";
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
    thinking: createThinkingPace(),
    timeoutMs: 60_000,
    countFor: knownCounts,
    marks: noMarks,
    sealed: (_orgId, identity) => identity,
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
  ["invalid JSON", "data: {not json\n\n", FAILED],
  ["JSON that is not an object", "data: null\n\n", FAILED],
  ["JSON that is nested too deeply", DEEP, CUT],
];

describe.each(BAD)("an answer that goes on with %s, however the network splits it", (_, bad, ending) => {
  const words = ["Hello", " from", " here"];
  const good = [ROLE, ...words.map((content) => deltaFrame({ content }))];

  test("delivers what came before, asks no other target, and is charged only if we cut it", async () => {
    expect(await seenHoweverCut([...good, bad])).toEqual({ text: words.join(""), ...ending });
  });

  test("is cut by us and charged if it had already exceeded its limit", async () => {
    const flood = " word".repeat(400);
    const seen = await seenHoweverCut([...good, deltaFrame({ content: flood }), bad]);
    expect([seen.text, seen.ended]).toEqual([words.join("") + flood, "done, length"]);
    expect(seen.charged).toBeGreaterThan(100);
  });

  test("ends normally and is charged as reported if its finish came before", async () => {
    const seen = await seenHoweverCut([...goodFrames(words), bad]);
    expect(seen).toEqual({ text: words.join(""), ended: "done, stop", charged: 11 + words.length });
  });

  test("is replaced by another target's answer if no text came before", async () => {
    const seen = await seenHoweverCut([ROLE, bad]);
    expect(seen).toEqual({ text: "from elsewhere", ended: "done, stop", charged: 11 + 2 });
  });
});

test("an answer with a line longer than any reply is cut by us, and what came before is charged", async () => {
  const pieces = [ROLE, deltaFrame({ content: "Hello" }), "data: "].map((text) => Buffer.from(text));
  const line = Array.from({ length: 33 }, () => Buffer.alloc(1 << 20, "a"));
  expect(await ask([...pieces, ...line])).toEqual({ text: "Hello", ended: "done, length", charged: 9 });
});

test.each([
  ["in neutral words", false],
  ["in the caller's own wire", true],
])("an answer with an image of several megabytes in one chunk ends normally: %s", async (_, isWire) => {
  const url = `data:image/png;base64,${"iVBORw0KGgo=".repeat(500_000)}`;
  const images = [{ type: "image_url", image_url: { url } }];
  const [role, ...rest] = goodFrames(["Hello"]);
  const frames = [role ?? "", deltaFrame({ images }), ...rest].map((text) => Buffer.from(text));
  expect(await ask(frames, isWire)).toMatchObject({ ended: "done, stop", charged: 12 });
});

describe("an answer that exceeds its limit, however the network splits it", () => {
  const words = Array.from({ length: 400 }, () => deltaFrame({ content: " word" }));

  test("is cut soon after the limit, even if more came in the same read", async () => {
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
  "a finish in the same read as text beyond the limit is still the end, charged as reported: %s",
  async (_, isWire) => {
    const bytes = Buffer.from(goodFrames([" word".repeat(400)]).join(""));
    expect(await ask([bytes], isWire)).toMatchObject({ ended: "done, stop", charged: 12 });
  },
);
