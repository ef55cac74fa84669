import { describe, expect, test } from "bun:test";
import { modelFrom } from "../catalog/testing.ts";
import type { ChatEvent, ContentPart, TextProvider } from "../contract/index.ts";
import { AppError, credits, Stopped, type StopReason, systemClock } from "../kit/index.ts";
import { createBreaker } from "../outbound/index.ts";
import { createRegistry } from "../providers/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createAnswerPace } from "./answer/answer-pace.ts";
import { createThinkingPace } from "./answer/thinking-pace.ts";
import { knownCounts, MODEL, NO_SUMS, noMarks, quote } from "./chat-call-testing.ts";
import { createChatStream } from "./chat-stream.ts";
import type { Paid } from "./outcome.ts";
import type { StartCall } from "./paid-call/paid-call.ts";
import type { Produced } from "./paid-call/produced.ts";
import { createTokenCorrections } from "./token-correction/token-correction.ts";

const TEXT: ChatEvent = { type: "text", text: "Hi" };
/** Beyond any limit that it could have been given. */
const ENDLESS: ChatEvent = { type: "text", text: "no end ".repeat(200_000) };
const FINISH: ChatEvent = { type: "finish", reason: "stop", usage: null };

/** A stream whose batches arrive one by one, each when the test says so. */
async function streamOf(
  batches: readonly ChatEvent[],
  onDisconnect: TextProvider["onDisconnect"] = "drain",
  { call } = quote(),
  answer?: TextProvider["chat"],
) {
  const turns = batches.map(() => Promise.withResolvers<void>());
  const ends: string[] = [];
  const charged: unknown[] = [];
  let taken = 0;
  let stopped: Stopped | null = null;
  let whenStopped: (stopped: Stopped) => void = () => {};
  async function* chat() {
    for (const [at, event] of batches.entries()) {
      taken++;
      await turns[at]?.promise;
      yield [event];
    }
  }
  const end = (how: string) => async (produced?: unknown) => {
    ends.push(how);
    charged.push(produced);
    return null as never;
  };
  const startCall: StartCall = async <Outcome>() => ({
    kind: "started",
    call: {
      requestId: "r",
      granted: credits(100),
      rate: { limit: 1, remaining: 0, resetSeconds: 1 },
      get stopped() {
        return stopped;
      },
      onStop: (listener) => {
        whenStopped = listener;
      },
      stop: () => {},
      succeed: end("succeed") as () => Promise<Paid<Outcome>>,
      fail: async () => {
        await end("fail")();
        return new AppError("internal_error", "It failed.");
      },
      leave: end("leave"),
    },
  });
  const provider = MODEL.targets[0]?.provider ?? "";
  const open = createChatStream({
    registry: createRegistry([{ name: provider, text: { chat: answer ?? chat, onDisconnect } }]),
    breaker: createBreaker({ clock: systemClock }),
    metrics: { ended: () => {}, refused: () => {}, writtenOff: () => {}, disbelieved: () => {} },
    corrections: createTokenCorrections(NO_SUMS),
    pace: createAnswerPace({ firstByteMs: 120_000 }),
    thinking: createThinkingPace(),
    log: silentLog,
    clock: systemClock,
    timeoutMs: 1_000,
    countFor: knownCounts,
    marks: noMarks,
    sealed: (_orgId, identity) => identity,
    startCall,
  });
  const stopBy = (reason: StopReason) => {
    stopped = new Stopped(reason);
    whenStopped(stopped);
  };
  return { stream: await open(call), turns, ends, charged, taken: () => taken, stopBy };
}

test.each([
  ["shutdown", "while it waits for more"],
  ["lease_lost", "while it waits for more"],
  ["shutdown", "between two reads"],
  ["lease_lost", "between two reads"],
] as const)("a client that leaves at the moment of a %s, %s, pays nothing", async (reason, when) => {
  const { stream, turns, ends, stopBy } = await streamOf([TEXT, TEXT, FINISH], "stop");
  turns[0]?.resolve();
  await stream.next();
  if (when === "while it waits for more") void stream.next();
  stopBy(reason);
  await stream.leave();
  expect(ends).toEqual(["fail"]);
});

test("after the reader leaves, next() returns null and the call is read to its end once", async () => {
  const { stream, turns, ends } = await streamOf([TEXT, FINISH]);
  const first = stream.next();
  const left = stream.leave();
  turns[0]?.resolve();
  expect(await first).toMatchObject({ type: "events" });
  const beside = stream.next();
  turns[1]?.resolve();
  expect(await beside).toBeNull();
  await left;
  expect(ends).toEqual(["succeed"]);
});

test.each([
  ["after the whole answer is charged as if they had stayed", [TEXT, FINISH], 2, "succeed"],
  ["after the answer was cut is charged as if they had stayed", [ENDLESS], 1, "succeed"],
  ["before the end is charged for what was delivered", [TEXT, FINISH], 1, "leave"],
])("a call whose reader leaves %s", async (_, batches, read, end) => {
  const { stream, turns, ends } = await streamOf(batches, "stop");
  for (const turn of turns) turn.resolve();
  for (let at = 0; at < read; at++) expect(await stream.next()).toMatchObject({ type: "events" });
  await stream.leave();
  expect(ends).toEqual([end]);
});

test("a call whose reader leaves between the answer's end and its usage is charged as if they had stayed", async () => {
  const turn = Promise.withResolvers<void>();
  const batches: readonly ChatEvent[] = [TEXT, FINISH];
  let at = 0;
  const answer = {
    isEnding: false,
    async next() {
      if (at === 1) await turn.promise;
      const event = batches[at++];
      this.isEnding = true;
      return event ? { done: false as const, value: [event] } : { done: true as const, value: undefined };
    },
  };
  const { stream, ends } = await streamOf([], "stop", quote(), () => ({
    [Symbol.asyncIterator]: () => answer,
  }));
  await stream.next();
  const reading = stream.next();
  const left = stream.leave();
  turn.resolve();
  await Promise.all([reading, left]);
  expect(ends).toEqual(["succeed"]);
});

describe("a call whose reader leaves before its attachments were counted", () => {
  const READER = modelFrom({
    type: "text",
    credits_per_request: 1,
    price: { input_per_million: 1_000, output_per_million: 1_000 },
    limits: {
      context_tokens: 100_000,
      max_output_tokens: 100,
      tokens_per_file: 90_000,
      tokens_per_image: 4_000,
    },
  });
  const LINKED = {
    type: "file",
    data: "https://files.example/long.pdf",
    mediaType: "application/pdf",
  } as const;
  const PICTURE = { type: "image", url: "https://files.example/cat.png" } as const;
  const WORDS = [
    { type: "text", text: "Sum up" },
    { type: "text", text: " this." },
  ] as const;
  const REPORTED: ChatEvent = {
    type: "finish",
    reason: "stop",
    usage: { inputTokens: 77_000, outputTokens: 50 },
  };
  const COUNTED: ChatEvent = { type: "input", usage: { inputTokens: 76_000 } };

  /**
   * All of it arrives; the client disconnects after reading this many parts. `taken` is how many parts were asked of the
   * provider: leaving asks for one more, since a provider that heeds its signal answers that with the end.
   */
  async function leaveAfter(
    batches: readonly ChatEvent[],
    read: number,
    content: readonly ContentPart[] = [LINKED, ...WORDS],
  ) {
    const chat = quote({ messages: [{ role: "user", content }] }, { model: READER });
    const { stream, turns, ends, charged, taken } = await streamOf(batches, "stop", chat);
    for (const turn of turns) turn.resolve();
    for (let at = 0; at < read; at++) expect(await stream.next()).toMatchObject({ type: "events" });
    await stream.leave();
    const { inputTokens, outputTokens } = charged[0] as Produced<unknown>;
    return { ends, inputTokens, outputTokens, taken: taken() };
  }

  const MORE: ChatEvent = { type: "text", text: "and so on ".repeat(20) };

  test("is read to its end, and pays the reported input and the delivered output", async () => {
    const counted = { ends: ["leave"], inputTokens: 77_000, outputTokens: 1, taken: 3 };
    expect(await leaveAfter([TEXT, MORE, REPORTED], 1)).toEqual(counted);
  });

  test("is read no further than to the count of its input, if that comes before the end", async () => {
    const counted = { ends: ["leave"], inputTokens: 76_000, outputTokens: 1, taken: 2 };
    expect(await leaveAfter([TEXT, COUNTED, ENDLESS], 1)).toEqual(counted);
  });

  test.each<[string, ChatEvent[], number]>([
    ["if nothing was delivered", [TEXT, REPORTED], 0],
    ["if its provider reports no usage", [TEXT, MORE, FINISH], 1],
    ["if its provider writes beyond the limit", [TEXT, ENDLESS, REPORTED], 1],
    ["if its provider fails", [TEXT, MORE], 1],
  ])("pays by our own count %s", async (_, batches, read) => {
    const { ends, inputTokens, outputTokens } = await leaveAfter(batches, read);
    expect([ends, outputTokens]).toEqual([["leave"], read]);
    expect(inputTokens).toBeWithin(2_048, 2_148);
  });

  test.each<[string, ContentPart]>([
    [
      "sound, which has few tokens per byte",
      { type: "file", data: `data:audio/wav;base64,${"A".repeat(4_800)}` },
    ],
  ])("pays by our own count, without reading on, for %s", async (_, part) => {
    const { ends, inputTokens, taken } = await leaveAfter([TEXT, MORE, REPORTED], 1, [part, ...WORDS]);
    expect([ends, inputTokens < 300, taken]).toEqual([["leave"], true, 2]);
  });

  test("pays by our own count, without reading on, for an image", async () => {
    const { inputTokens, ...others } = await leaveAfter([TEXT, MORE, REPORTED], 1, [PICTURE, ...WORDS]);
    expect(others).toEqual({ ends: ["leave"], outputTokens: 1, taken: 2 });
    expect(inputTokens).toBeWithin(1_024, 1_124);
  });

  test("pays an earlier count of its input without reading on; without attachments, what was delivered", async () => {
    const counted = { ends: ["leave"], inputTokens: 76_000, outputTokens: 1, taken: 3 };
    expect(await leaveAfter([COUNTED, TEXT, MORE, REPORTED], 2)).toEqual(counted);
    const { inputTokens, ...others } = await leaveAfter([TEXT, MORE, REPORTED], 1, WORDS);
    expect(others).toEqual({ ends: ["leave"], outputTokens: 1, taken: 2 });
    expect(inputTokens).toBeWithin(1, 100);
  });
});
