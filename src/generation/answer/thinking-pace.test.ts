import { expect, test } from "bun:test";
import fc from "fast-check";
import { createThinkingPace } from "./thinking-pace.ts";

/** A finished call whose visible words are ten tokens. */
function call(
  reasoningTokens: number,
  silentMs: number,
  { mayThink = true, isWhole = false, shown = 0, others = 0 } = {},
) {
  const usage = { reasoningTokens, outputTokens: reasoningTokens + others + 10 };
  return { usage, silentMs, isWhole, mayThink, writtenTokens: () => 10 + shown };
}

const asked = (silentMs: number, mayThink = true) => ({ silentMs, mayThink });

test("what a target that may think has thought is unknown until it has finished a call that did", () => {
  const pace = createThinkingPace();
  expect(pace.unseenTokens("t", asked(1_000))).toBeNull();
  expect(pace.unseenTokens("t", asked(1_000, false))).toBe(0);
  for (let at = 0; at < 19; at++) pace.learn("t", call(0, 200));
  expect(pace.unseenTokens("t", asked(1_000))).toBeNull();
  pace.learn("t", call(0, 200));
  expect(pace.unseenTokens("t", asked(1_000))).toBe(0);
  pace.learn("t", call(1_000, 10_200));
  expect(pace.unseenTokens("t", asked(5_200))).toBe(500);
  expect(pace.unseenTokens("other", asked(5_200))).toBeNull();
});

test("the catalog need not know that a target thinks", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(1_000, 10_000, { mayThink: false }));
  expect(pace.unseenTokens("t", asked(2_000, false))).toBe(200);
});

test("calls without thinking show how long the first word takes by itself", () => {
  const pace = createThinkingPace();
  for (const silentMs of [900, 1_000, 60_000]) pace.learn("t", call(0, silentMs));
  pace.learn("t", call(1_000, 11_000));
  expect([0, 1_000, 6_000].map((ms) => pace.unseenTokens("t", asked(ms)))).toEqual([0, 0, 500]);
});

test("a stall of the provider costs no more than what nearly all calls think", () => {
  const pace = createThinkingPace();
  for (let at = 0; at < 98; at++) pace.learn("t", call(100, 1_000));
  for (let at = 0; at < 2; at++) pace.learn("t", call(50_000, 500_000));
  expect(pace.unseenTokens("t", asked(900_000))).toBe(100);
});

test("thinking that was shown is paid for as delivered, and only what a summary leaves out is unseen", () => {
  const pace = createThinkingPace();
  pace.learn("shown", call(1_000, 100, { shown: 950 }));
  expect(pace.unseenTokens("shown", asked(60_000))).toBe(0);
  pace.learn("summary", call(1_000, 10_000, { shown: 100 }));
  expect(pace.unseenTokens("summary", asked(10_000))).toBe(900);
});

test("a provider that does not count its thinking apart still counts it as output", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(0, 10_000, { others: 1_000 }));
  expect(pace.unseenTokens("t", asked(5_000))).toBe(500);
});

test("only the report tells where the headers come after the thinking", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(8_000, 3));
  expect(pace.unseenTokens("t", asked(3))).toBeNull();
});

test("a reply in one piece shows how much of its time went into the thinking", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(0, 5_000, { isWhole: true }));
  pace.learn("t", call(990, 10_000, { isWhole: true }));
  expect(pace.unseenTokens("t", asked(5_000))).toBe(500);
});

test("only the last hundred calls count", () => {
  const pace = createThinkingPace();
  pace.learn("t", call(1_000, 1_000));
  for (let at = 0; at < 100; at++) pace.learn("t", call(100, 1_000));
  expect(pace.unseenTokens("t", asked(1_000))).toBe(100);
});

test("whoever leaves later pays no less, and never more than the most that was reported", () => {
  const finished = fc.record({ tokens: fc.nat(20_000), ms: fc.nat(120_000) });
  const times = fc.tuple(fc.nat(900_000), fc.nat(900_000));
  const property = fc.property(fc.array(finished, { maxLength: 120 }), times, (calls, [one, other]) => {
    const pace = createThinkingPace();
    for (const { tokens, ms } of calls) pace.learn("t", call(tokens, ms));
    const sooner = pace.unseenTokens("t", asked(Math.min(one, other))) ?? 0;
    const later = pace.unseenTokens("t", asked(Math.max(one, other))) ?? 0;
    const most = Math.max(0, ...calls.slice(-100).map(({ tokens }) => tokens));
    expect(0 <= sooner && sooner <= later && later <= most && Number.isInteger(later)).toBe(true);
  });
  fc.assert(property);
});
