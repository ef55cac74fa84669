import { expect, test } from "bun:test";
import fc from "fast-check";
import { modelFrom } from "../../catalog/testing.ts";
import { quote } from "../chat-call-testing.ts";
import { CallThinking } from "./call-thinking.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { createThinkingPace } from "./thinking-pace.ts";

const call = (unseenTokens: number, silentMs: number, thinks = true) => ({ unseenTokens, silentMs, thinks });

test("what a target that may think has thought is unknown until it has finished a call that did", () => {
  const pace = createThinkingPace();
  expect(pace.unseenTokens("t", 1_000, true)).toBeNull();
  expect(pace.unseenTokens("t", 1_000, false)).toBe(0);
  for (let at = 0; at < 19; at++) pace.learn("t", call(0, 200, false));
  expect(pace.unseenTokens("t", 1_000, true)).toBeNull();
  pace.learn("t", call(0, 200, false));
  expect(pace.unseenTokens("t", 1_000, true)).toBe(0);
  pace.learn("t", call(1_000, 10_200));
  expect([true, false].map((mayThink) => pace.unseenTokens("t", 5_200, mayThink))).toEqual([500, 500]);
  expect(pace.unseenTokens("other", 5_200, true)).toBeNull();
});

test("calls without thinking show how long the first word takes by itself", () => {
  const pace = createThinkingPace();
  for (const silentMs of [60_000, 900, 1_000]) pace.learn("t", call(0, silentMs, false));
  pace.learn("t", call(1_000, 11_000));
  expect([0, 1_000, 6_000].map((ms) => pace.unseenTokens("t", ms, true))).toEqual([0, 0, 500]);
});

test("a stall of the provider costs no more than what nearly all calls think", () => {
  const pace = createThinkingPace();
  for (let at = 0; at < 98; at++) pace.learn("t", call(100, 1_000));
  for (let at = 0; at < 2; at++) pace.learn("t", call(50_000, 500_000));
  expect(pace.unseenTokens("t", 900_000, true)).toBe(100);
});

test("only the report tells where the headers come after the thinking", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(8_000, 3));
  expect(pace.unseenTokens("t", 3, true)).toBeNull();
});

test("only the last hundred calls count", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(1_000, 1_000));
  for (let at = 0; at < 100; at++) pace.learn("t", call(100, 1_000));
  expect(pace.unseenTokens("t", 1_000, true)).toBe(100);
});

test("whoever leaves later pays no less, and never more than the most that was reported", () => {
  const finished = fc.record({ tokens: fc.nat(20_000), ms: fc.nat(120_000) });
  const times = fc.tuple(fc.nat(900_000), fc.nat(900_000));
  const property = fc.property(fc.array(finished, { maxLength: 120 }), times, (calls, [one, other]) => {
    const pace = createThinkingPace();
    for (const { tokens, ms } of calls) pace.learn("t", call(tokens, ms));
    const sooner = pace.unseenTokens("t", Math.min(one, other), true) ?? 0;
    const later = pace.unseenTokens("t", Math.max(one, other), true) ?? 0;
    const most = Math.max(0, ...calls.slice(-100).map(({ tokens }) => tokens));
    expect(0 <= sooner && sooner <= later && later <= most && Number.isInteger(later)).toBe(true);
  });
  fc.assert(property);
});

test.each([
  ["that was not shown", { reasoningTokens: 1_000 }, "words", 500],
  ["that was shown is paid for as delivered", { reasoningTokens: 1_000 }, "thought ".repeat(990), 0],
  ["of which a summary was shown", { reasoningTokens: 1_000 }, "thought ".repeat(100), 450],
  ["that is counted as nothing but output", { reasoningTokens: 0 }, "words", 500],
])("learns of thinking %s", (_, { reasoningTokens }, text, learned) => {
  const unseen = finishedCall({ reasoningTokens, text, isWhole: false });
  expect(unseen(5_000)).toBeWithin(learned * 0.95, learned * 1.05 + 1);
});

test("learns how much of the time of a reply in one piece went into its thinking", () => {
  expect(finishedCall({ reasoningTokens: 505, text: "words", isWhole: true })(2_500)).toBe(252);
});

/** After a call of 1,010 tokens and ten seconds: what one costs that is left after this time. */
function finishedCall({
  reasoningTokens,
  text,
  isWhole,
}: {
  reasoningTokens: number;
  text: string;
  isWhole: boolean;
}) {
  const model = modelFrom({
    ...{ type: "text", credits_per_request: 1, capabilities: ["reasoning"] },
    limits: { context_tokens: 100_000, max_output_tokens: 10_000 },
  });
  let nowMs = 0;
  const clock = { nowMs: () => 0, elapsedMs: () => nowMs };
  const deps = { thinking: createThinkingPace(), clock };
  const begin = () => new CallThinking(deps, quote({}, { model }), { target: "t", answeredMs: nowMs });
  const usage = { inputTokens: 1, outputTokens: 1_010, reasoningTokens };
  const answer = createChatAnswer();
  answer.add({
    target: "t",
    events: [
      { type: "text", text },
      { type: "finish", reason: "stop", usage },
    ],
  });
  const finished = begin();
  nowMs += 10_000;
  if (!isWhole) finished.saw();
  finished.finished(answer, { ...usage, cachedInputTokens: 0, cacheWriteTokens: 0 });
  return (afterMs: number) => {
    const left = begin();
    nowMs += afterMs;
    return left.unseenTokens();
  };
}
