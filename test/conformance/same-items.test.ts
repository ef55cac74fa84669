import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent, FinishReason } from "../../gateway/src/contract/index.ts";
import { createChatAnswer } from "../../gateway/src/generation/answer/chat-answer.ts";
import { eventsOf } from "../../gateway/src/generation/index.ts";
import { createChatChunks } from "../../gateway/src/http/openai/chat/chat-chunks.ts";
import { formWith, paidFor, REQUEST_ID } from "../../gateway/src/http/openai/chat/chat-testing.ts";
import { outputOf } from "../../gateway/src/http/openai/responses/responses.ts";
import {
  argumentsOf,
  done,
  events,
  finish,
  formsFor,
  outputIn,
  start,
  streamed,
  text,
} from "../../gateway/src/http/openai/responses/testing.ts";
import { roundsOfRun } from "../rounds-of-run.ts";

/** The items of a streamed response, of its repeat and of the reply in one piece. */
function threeOf(list: readonly ChatEvent[], reason: FinishReason) {
  const answer = createChatAnswer();
  answer.add({ target: "x", events: list });
  const answers = answer.whole(reason);
  const first = streamed([...list.map((event) => events(event)), events(finish(reason)), done(reason)]);
  const again = streamed([events(...eventsOf(answers), finish(reason)), done(reason)]);
  expect([first.faults, again.faults]).toEqual([[], []]);
  const items = outputOf(paidFor(answers).outcome, formsFor().maker);
  const whole = JSON.parse(items) as readonly Readonly<Record<string, unknown>>[];
  return { stream: outputIn(first.response), repeat: outputIn(again.response), whole };
}

/** A streamed chat completion and its repeat: the id of each call, and the texts. */
function twoOf(list: readonly ChatEvent[], reason: FinishReason) {
  const answer = createChatAnswer();
  answer.add({ target: "x", events: list });
  const answers = answer.whole(reason);
  return [list, eventsOf(answers)].map((said) => {
    const form = { requestId: REQUEST_ID, model: "m", n: 1, includesUsage: false, form: formWith() };
    const encoder = createChatChunks(form);
    const parts = [events(...said, finish(reason)), { type: "done" as const, paid: paidFor(answers) }];
    const chunks = parts.flatMap((part) => encoder.encode(part)).slice(0, -1);
    const deltas = chunks.map((chunk) => JSON.parse(chunk.slice("data: ".length)).choices[0].delta);
    const words = (name: string) => deltas.map((delta) => delta[name] ?? "").join("");
    return {
      calls: deltas.flatMap(({ tool_calls: calls = [] }) => calls.flatMap(({ id = [] }) => id)),
      ...{ content: words("content"), refusal: words("refusal"), thought: words("reasoning_content") },
    };
  });
}

/** As providers stream it: a call begins only once. */
function withCallsOnce(list: readonly ChatEvent[]): readonly ChatEvent[] {
  const begun = new Set<number>();
  return list.filter((event) => {
    if (event.type !== "tool_start") return true;
    return !begun.has(event.call) && begun.add(event.call);
  });
}

const signed: ChatEvent[] = [
  { type: "reasoning", text: "hm" },
  { type: "reasoning_signature", signature: "acme/s" },
];
const fragments = ["", " ", "{", "}", '"a":1', '{"a":1}', "{}", "[1,", "2]", "null", "words"];
const piece: fc.Arbitrary<readonly ChatEvent[]> = fc.oneof(
  fc.constantFrom("", "a", "bc").map((said) => [text(said)]),
  fc.constantFrom("", "no", "!").map((said): ChatEvent[] => [{ type: "refusal", text: said }]),
  fc.constantFrom("", "t", "uv").map((said): ChatEvent[] => [{ type: "reasoning", text: said }]),
  fc.constant(signed),
  fc.tuple(fc.nat(3), fc.constantFrom("f", "patch", "n__g", "?")).map(([call, name]) => [start(call, name)]),
  fc.tuple(fc.nat(3), fc.constantFrom(...fragments)).map(([call, said]) => [argumentsOf(call, said)]),
);
const reasons = fc.constantFrom<FinishReason>("stop", "length", "tool_calls", "content_filter");

test("a streamed response, its repeat and the whole reply have the same items", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), reasons, (pieces, reason) => {
      const { stream, repeat, whole } = threeOf(pieces.flat(), reason);
      expect(repeat).toEqual([...stream]);
      expect(whole).toEqual([...stream]);
    }),
    { numRuns: roundsOfRun(300) },
  );
});

/** A signature for reasoning that has already led to a call or text. */
const late = fc.constant<ChatEvent[]>([{ type: "reasoning_signature", signature: "acme/late" }]);

test("a streamed chat completion and its repeat have the same texts and call ids", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, late), { maxLength: 30 }), reasons, (pieces, reason) => {
      const [stream, repeat] = twoOf(withCallsOnce(pieces.flat()), reason);
      expect(repeat).toEqual(stream as never);
    }),
    { numRuns: roundsOfRun(300) },
  );
});

const saidBy = (items: readonly Readonly<Record<string, unknown>>[]) =>
  items.map((item) => [item["call_id"], item["arguments"] ?? item["input"], item["status"]]);

test("calls are in the order in which they began, and none is added", () => {
  const list = [start(0, "f"), start(1, "f"), argumentsOf(1, '{"b":2}'), argumentsOf(0, '{"a":1}')];
  const { stream, whole } = threeOf(list, "tool_calls");
  const called = [
    ["c0", '{"a":1}', "completed"],
    ["c1", '{"b":2}', "completed"],
  ];
  expect([saidBy(stream), saidBy(whole)]).toEqual([called, called]);
  const bare = [start(0, "f"), text("so"), start(1, "f"), argumentsOf(1, "{}")];
  const ids = threeOf(bare, "tool_calls").stream.flatMap((item) => item["call_id"] ?? []);
  expect(ids).toEqual(["c0", "c1"]);
});

test("calls of an answer that was cut off are incomplete", () => {
  const list = [start(0, "f"), start(1, "f"), argumentsOf(1, '{"b":2}')];
  const cut = [
    ["c0", "", "incomplete"],
    ["c1", '{"b":2}', "incomplete"],
  ];
  const { stream, whole } = threeOf(list, "length");
  expect([saidBy(stream), saidBy(whole)]).toEqual([cut, cut]);
  const before = threeOf([start(0, "f"), start(1, "f"), argumentsOf(1, "{}"), text("so")], "length");
  expect(saidBy(before.stream)[0]).toEqual(["c0", "", "incomplete"]);
  expect([before.repeat, before.whole]).toEqual([[...before.stream], [...before.stream]]);
});

test("arguments of a call that was complete before something else are left out, even while it is held back", () => {
  const list = [start(0, "f"), start(1, "f"), argumentsOf(1, "{}"), text("so"), argumentsOf(1, "{}")];
  const { stream, repeat, whole } = threeOf(list, "stop");
  expect(saidBy(stream)[1]).toEqual(["c1", "{}", "completed"]);
  expect([repeat, whole]).toEqual([[...stream], [...stream]]);
});

test.each([
  ["f", ["[1,", "2]"], "[1,2]"],
  ["patch", ["*** Begin", " Patch"], "*** Begin Patch"],
])(
  "arguments of %s that are not an object keep all their pieces, even with text in between",
  (name, pieces, said) => {
    const list = [start(0, name), ...pieces.flatMap((each) => [argumentsOf(0, each), text("so")])];
    const { stream } = threeOf(list, "tool_calls");
    expect(saidBy(stream)).toEqual([
      ["c0", said, "completed"],
      [undefined, undefined, "completed"],
    ]);
  },
);

test("an answer of one text keeps its log probabilities", () => {
  const of = (token: string): ChatEvent => ({ type: "logprobs", content: [{ token, logprob: 0 }] });
  const { stream, repeat, whole } = threeOf([text("a"), of("a"), text("b"), of("b")], "stop");
  expect(JSON.stringify(stream)).toContain('"token":"b"');
  expect([repeat, whole]).toEqual([[...stream], [...stream]]);
});

test("log probabilities of reasoning create no message", () => {
  const list = Array.from({ length: 30 }, (): ChatEvent[] => [
    { type: "reasoning", text: "t" },
    { type: "logprobs", content: [{ token: "t", logprob: 0 }] },
  ]);
  const { stream } = threeOf([...list.flat(), text("so")], "stop");
  expect(stream.map((item) => item["type"])).toEqual(["reasoning", "message"]);
});

test("a refusal between texts stays between them", () => {
  const list: ChatEvent[] = [text("a"), { type: "refusal", text: "no" }, text("b")];
  const { whole } = threeOf(list, "stop");
  expect(whole).toMatchObject([{ content: [{ text: "a" }, { refusal: "no" }, { text: "b" }] }]);
});
