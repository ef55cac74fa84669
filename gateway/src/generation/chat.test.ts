import { expect, test } from "bun:test";
import type { ChatEvent } from "../contract/index.ts";
import { credits, systemClock } from "../kit/index.ts";
import { createBreaker } from "../outbound/index.ts";
import { createRegistry } from "../providers/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createAnswerPace } from "./answer/answer-pace.ts";
import { createThinkingPace } from "./answer/thinking-pace.ts";
import { createChat } from "./chat.ts";
import { knownCounts, MODEL, NO_SUMS, quote } from "./chat-call-testing.ts";
import type { ChatOutcome } from "./outcome.ts";
import type { StartCall } from "./paid-call/paid-call.ts";
import { createTokenCorrections } from "./token-correction/token-correction.ts";

const LONG = "no end ".repeat(20_000);
const CALL: readonly ChatEvent[] = [
  { type: "tool_start", call: 0, id: "c", name: "look" },
  { type: "tool_arguments", call: 0, text: "{}" },
];
const FINISH: ChatEvent = { type: "finish", reason: "stop", usage: null };

/** The reply to a call for twenty tokens in one piece, from a server that sends these batches. */
async function replyOf(batches: readonly (readonly ChatEvent[])[]): Promise<ChatOutcome> {
  const startCall: StartCall = async () => ({
    kind: "started",
    call: {
      requestId: "r",
      granted: credits(100),
      rate: { limit: 1, remaining: 0, resetSeconds: 1 },
      stopped: null,
      onStop: () => {},
      stop: () => {},
      succeed: async (produced) => produced as never,
      fail: async (error) => {
        throw error;
      },
      leave: async () => null as never,
    },
  });
  async function* answer() {
    yield* batches;
  }
  const name = MODEL.targets[0]?.provider ?? "";
  const chat = createChat({
    registry: createRegistry([{ name, text: { chat: answer, onDisconnect: "stop" } }]),
    breaker: createBreaker({ clock: systemClock }),
    metrics: { ended: () => {}, refused: () => {}, writtenOff: () => {}, disbelieved: () => {} },
    corrections: createTokenCorrections(NO_SUMS),
    pace: createAnswerPace({ firstByteMs: 120_000 }),
    thinking: createThinkingPace(),
    log: silentLog,
    clock: systemClock,
    timeoutMs: 1_000,
    countFor: knownCounts,
    sealed: (_orgId, identity) => identity,
    startCall,
  });
  const paid = await chat({ ...quote().call, maxTokens: 20 });
  if (paid === null) throw new Error("nobody left");
  return paid.outcome;
}

test("a reply that has its end is handed out whole, however far beyond its limit: all of it is paid for", async () => {
  const reasoning: ChatEvent = { type: "reasoning", text: LONG };
  const { answers, finishReason } = await replyOf([
    [reasoning, { type: "text", text: "42" }, ...CALL, FINISH],
  ]);
  expect(finishReason).toBe("stop");
  expect(answers).toMatchObject([{ content: "42", toolCalls: [{ name: "look" }] }]);
});

test("an answer that nobody knows the end of is cut at its limit", async () => {
  const { answers, finishReason } = await replyOf([[{ type: "text", text: LONG }], CALL, [FINISH]]);
  expect(finishReason).toBe("length");
  expect(answers).toMatchObject([{ content: LONG, toolCalls: [] }]);
});
