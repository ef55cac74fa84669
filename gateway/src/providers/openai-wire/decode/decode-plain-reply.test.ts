import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent } from "../../../contract/index.ts";
import { expecting } from "../testing.ts";
import type { WireChunk } from "../wire-chunk.ts";
import { createChunkDecoder } from "./decode-chunk.ts";
import { decodePlainReply } from "./decode-plain-reply.ts";

const REPLY = {
  id: "chatcmpl-1",
  object: "chat.completion",
  choices: [
    { index: 0, message: { role: "assistant", content: "Hello." }, logprobs: null, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const CONTEXT = expecting();

function longWay(reply: unknown, context: typeof CONTEXT): ChatEvent[] {
  const out: ChatEvent[] = [];
  const decoder = createChunkDecoder({ ...context, whole: true });
  decoder.push(reply, out);
  decoder.end(out, true);
  return out;
}

test("an ordinary reply is decoded on the fast path, with the result of the general decoder", () => {
  expect(decodePlainReply(REPLY, CONTEXT)).toEqual(longWay(REPLY, CONTEXT));
});

/** Anything where a field is expected: absent, empty, of another type. */
const ODD = fc.constantFrom<unknown>(undefined, null, "", 0, 1, "x", [], {}, [{}], { content: [] }, true);
const mostly = <T>(ordinary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: ordinary as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: ODD });
const nothing = mostly(fc.constant(undefined));
const words = fc.constantFrom(
  "stop",
  "length",
  "tool_calls",
  "error",
  "abort",
  "sensitive",
  "odd",
  "",
  "LENGTH",
);
const message = mostly(
  fc.record({
    role: fc.constant("assistant"),
    content: mostly(fc.constant("Hello.")),
    refusal: nothing,
    reasoning: nothing,
    reasoning_content: nothing,
    reasoning_details: nothing,
    tool_calls: nothing,
    function_call: nothing,
  }),
);
const choice = mostly(
  fc.record({
    index: mostly(fc.constant(0)),
    message,
    delta: nothing,
    finish_reason: mostly(words),
    logprobs: nothing,
    usage: nothing,
    error: nothing,
  }),
);
const reply = fc.record({
  object: fc.constantFrom("chat.completion", "error"),
  choices: mostly(fc.array(choice, { minLength: 1, maxLength: 2 })),
  usage: mostly(fc.constant(REPLY.usage)),
  error: nothing,
});

test("the fast path agrees with the general decoder on every reply that it accepts", () => {
  const seen = { short: 0 };
  fc.assert(
    fc.property(reply, fc.integer({ min: 1, max: 2 }), fc.boolean(), (given, n, namedTool) => {
      const context = { ...CONTEXT, n, namedTool };
      const short = decodePlainReply(given as WireChunk, context);
      if (short === null) return;
      seen.short++;
      expect(short).toEqual(longWay(given, context));
    }),
    { numRuns: 5_000 },
  );
  expect(seen.short).toBeGreaterThan(20);
});
