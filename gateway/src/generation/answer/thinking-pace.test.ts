import { expect, test } from "bun:test";
import fc from "fast-check";
import { modelFrom } from "../../catalog/testing.ts";
import type { ChatEvent } from "../../contract/index.ts";
import { quote } from "../chat-call-testing.ts";
import type { ChatPrompt } from "../prompt/chat-prompt.ts";
import { CallThinking } from "./call-thinking.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { createThinkingPace, type ThinkingPace } from "./thinking-pace.ts";

const call = (thoughtTokens: number, silentMs: number, isShown = false) => ({
  thoughtTokens,
  silentMs,
  isShown,
});
const unseen = (pace: ThinkingPace, silentMs: number, { shownTokens = 0, mayThink = true } = {}) =>
  pace.unseenTokens("t", { silentMs, shownTokens, mayThink });

test("what a target that may think has thought is unknown until it has finished a call that did", () => {
  const pace = createThinkingPace();
  expect([unseen(pace, 1_000), unseen(pace, 1_000, { mayThink: false })]).toEqual([null, 0]);
  for (let at = 0; at < 50; at++) pace.learn("t", call(0, 200));
  expect(unseen(pace, 1_000)).toBeNull();
  pace.learn("t", call(1_000, 10_200));
  expect([true, false].map((mayThink) => unseen(pace, 5_200, { mayThink }))).toEqual([500, 500]);
  expect(pace.unseenTokens("other", { silentMs: 5_200, shownTokens: 0, mayThink: true })).toBeNull();
});

test("calls without thinking show how long the first word takes by itself", () => {
  const pace = createThinkingPace();
  for (const silentMs of [60_000, 900, 1_000]) pace.learn("t", call(0, silentMs));
  pace.learn("t", call(1_000, 11_000));
  expect([0, 1_000, 6_000].map((ms) => unseen(pace, ms))).toEqual([0, 0, 500]);
});

test("a stall costs no more than the usual thinking, and beyond twice its time only the report tells", () => {
  const pace = createThinkingPace();
  for (let at = 0; at < 99; at++) pace.learn("t", call(70, 700));
  expect([unseen(pace, 1_400), unseen(pace, 1_401)]).toEqual([70, null]);
  pace.learn("t", call(1_000, 10_000));
  expect(unseen(pace, 10_000)).toBeNull();
});

test("what was shown of the thinking is paid for as delivered", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(5_000, 10_000, true));
  expect(unseen(pace, 10_000, { shownTokens: 10 })).toBe(0);
  pace.learn("t", call(1_000, 10_000));
  expect([0, 100, 2_000].map((shownTokens) => unseen(pace, 5_000, { shownTokens }))).toEqual([500, 400, 0]);
});

test("only the report tells where the headers come after the thinking", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(8_000, 3));
  expect(unseen(pace, 3)).toBeNull();
});

test("only the last hundred calls count", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(1_000, 1_000));
  for (let at = 0; at < 100; at++) pace.learn("t", call(100, 1_000));
  expect(unseen(pace, 1_000)).toBe(100);
});

test("whoever leaves later pays no less, or as reported", () => {
  const finished = fc.record({ tokens: fc.nat(20_000), ms: fc.nat(120_000) });
  const times = fc.tuple(fc.nat(900_000), fc.nat(900_000));
  const property = fc.property(fc.array(finished, { maxLength: 120 }), times, (calls, [one, other]) => {
    const pace = createThinkingPace();
    for (const { tokens, ms } of calls) pace.learn("t", call(tokens, ms));
    const sooner = unseen(pace, Math.min(one, other)) ?? Number.POSITIVE_INFINITY;
    const later = unseen(pace, Math.max(one, other)) ?? Number.POSITIVE_INFINITY;
    expect(0 <= sooner && sooner <= later).toBe(true);
  });
  fc.assert(property);
});

/** What one costs that is left after half the time. */
test.each([
  ["that was not shown", { reasoningTokens: 1_000 }, "", 500],
  ["that was shown", { reasoningTokens: 1_000 }, "thought ".repeat(990), 0],
  ["of which a summary was shown", { reasoningTokens: 1_000 }, "thought ".repeat(100), 400],
  ["that is counted as nothing but output", { reasoningTokens: 0 }, "", 500],
])("learns of thinking %s", (_, { reasoningTokens }, thought, learned) => {
  const left = finishedCall({ reasoningTokens, thought });
  expect(left(5_000, {}, { type: "reasoning", text: thought })).toBeWithin(
    learned * 0.95,
    learned * 1.05 + 1,
  );
});

const WIRE = { type: "wire", members: "", written: "thought ".repeat(100) } as const;
test.each<[number, ChatEvent]>([
  [400, { ...WIRE, isReasoning: true }],
  [400, { ...WIRE, event: "response.reasoning_summary_text.delta" }],
  [250, WIRE],
  [250, { ...WIRE, event: "response.output_text.delta" }],
])("is left with %d tokens unseen after %j", (tokens, event) => {
  const left = finishedCall({ reasoningTokens: 1_000, thought: "" });
  expect(left(5_000, {}, event)).toBeWithin(tokens * 0.95, tokens * 1.05);
});

test("little thinking that nobody saw does not pass for a target's way", () => {
  expect(finishedCall({ reasoningTokens: 20, thought: "", outputTokens: 21 })(5_000)).toBeNull();
});

test("a request that has thinking switched off pays for none, unless such requests have been seen to think", () => {
  const off = { reasoningEffort: "none" };
  expect(finishedCall({ reasoningTokens: 1_000, thought: "" })(5_000, off)).toBe(0);
  expect(finishedCall({ reasoningTokens: 1_000, thought: "", prompt: off })(5_000, off)).toBeWithin(475, 526);
});

/** After a call of ten seconds: what one costs that is left after this time. */
function finishedCall({
  reasoningTokens,
  thought,
  outputTokens = 1_010,
  prompt = {},
}: {
  reasoningTokens: number;
  thought: string;
  outputTokens?: number;
  prompt?: Partial<ChatPrompt>;
}) {
  const model = modelFrom({
    ...{ type: "text", credits_per_request: 1, capabilities: ["reasoning"] },
    limits: { context_tokens: 100_000, max_output_tokens: 10_000 },
  });
  let nowMs = 0;
  const clock = { nowMs: () => 0, elapsedMs: () => nowMs };
  const deps = { thinking: createThinkingPace(), clock };
  const begin = (of: Partial<ChatPrompt>) =>
    new CallThinking(deps, quote(of, { model }), { target: "t", answeredMs: nowMs });
  /** The reasoning half way through the silence, and then a word. */
  const answered = (thinking: CallThinking, ms: number, said: ChatEvent) => {
    const answer = createChatAnswer();
    const write = (event: ChatEvent) => {
      const { characters } = answer;
      answer.take("t", event);
      thinking.saw(event, characters);
    };
    nowMs += ms / 2;
    write(said);
    nowMs += ms / 2;
    write({ type: "text", text: "word" });
    return answer;
  };
  const finished = begin(prompt);
  const answer = answered(finished, 10_000, { type: "reasoning", text: thought });
  const usage = { inputTokens: 1, outputTokens, reasoningTokens };
  answer.take("t", { type: "finish", reason: "stop", usage });
  finished.finished(answer, { ...usage, cachedInputTokens: 0, cacheWriteTokens: 0 });
  return (
    afterMs: number,
    of: Partial<ChatPrompt> = {},
    said: ChatEvent = { type: "reasoning", text: "" },
  ) => {
    const left = begin(of);
    return left.unseenTokens(answered(left, afterMs, said));
  };
}
