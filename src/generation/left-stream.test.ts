import { expect, test } from "bun:test";
import { credits, systemClock } from "../kit/index.ts";
import { type ChatEvent, createBreaker, createRegistry, type TextProvider } from "../providers/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createAnswerPace } from "./answer/answer-pace.ts";
import { MODEL, NO_SUMS, quote } from "./chat-call-testing.ts";
import { createChatStream } from "./chat-stream.ts";
import type { Paid } from "./outcome.ts";
import type { StartCall } from "./paid-call/paid-call.ts";
import { createTokenCorrections } from "./token-correction/token-correction.ts";

const TEXT: ChatEvent = { type: "text", text: "Hi" };
/** Beyond any limit that it could have been given. */
const ENDLESS: ChatEvent = { type: "text", text: "no end ".repeat(200_000) };
const FINISH: ChatEvent = { type: "finish", reason: "stop", usage: null };

/** A stream whose batches come one by one, each when the test says so. */
async function streamOf(batches: readonly ChatEvent[], onDisconnect: TextProvider["onDisconnect"] = "drain") {
  const turns = batches.map(() => Promise.withResolvers<void>());
  const ends: string[] = [];
  async function* chat() {
    for (const [at, event] of batches.entries()) {
      await turns[at]?.promise;
      yield [event];
    }
  }
  const end = (how: string) => async () => {
    ends.push(how);
    return null as never;
  };
  const startCall: StartCall = async <Outcome>() => ({
    kind: "started",
    call: {
      requestId: "r",
      granted: credits(100),
      rate: { limit: 1, remaining: 0, resetSeconds: 1 },
      stopped: null,
      onStop: () => {},
      stop: () => {},
      succeed: end("succeed") as () => Promise<Paid<Outcome>>,
      fail: end("fail"),
      leave: end("leave"),
    },
  });
  const provider = MODEL.targets[0]?.provider ?? "";
  const open = createChatStream({
    registry: createRegistry([{ name: provider, text: { chat, onDisconnect } }]),
    breaker: createBreaker({ clock: systemClock }),
    metrics: { ended: () => {}, refused: () => {}, writtenOff: () => {}, disbelieved: () => {} },
    corrections: createTokenCorrections(NO_SUMS),
    pace: createAnswerPace({ firstByteMs: 120_000 }),
    log: silentLog,
    clock: systemClock,
    timeoutMs: 1_000,
    startCall,
  });
  return { stream: await open(quote().call), turns, ends };
}

test("whoever has left reads no more, and the call is read to its end once", async () => {
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
  ["is charged as if they had stayed, where the answer is whole", [TEXT, FINISH], 2, "succeed"],
  ["is charged as if they had stayed, where it was cut", [ENDLESS], 1, "succeed"],
  ["is charged what was delivered, before", [TEXT, FINISH], 1, "leave"],
])("a call whose reader leaves %s", async (_, batches, read, end) => {
  const { stream, turns, ends } = await streamOf(batches, "stop");
  for (const turn of turns) turn.resolve();
  for (let at = 0; at < read; at++) expect(await stream.next()).toMatchObject({ type: "events" });
  await stream.leave();
  expect(ends).toEqual([end]);
});
