import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent, FinishReason } from "../../../contract/index.ts";
import { answerWith, paidFor } from "../chat/chat-testing.ts";
import { outputOf } from "./responses.ts";
import { createResponseEncoder } from "./stream/response-encoder.ts";
import { argumentsOf, done, events, finish, formsFor, outputIn, start, streamed, text } from "./testing.ts";

const reason = fc.constantFrom<FinishReason>("stop", "length", "tool_calls", "content_filter");

const piece = fc.oneof(
  fc.string().map(text),
  fc.string().map((said): ChatEvent => ({ type: "refusal", text: said })),
  fc.string().map((said): ChatEvent => ({ type: "reasoning", text: said })),
  fc.constant<ChatEvent>({ type: "reasoning_signature", signature: "s" }),
  fc
    .tuple(fc.nat(2), fc.constantFrom("f", "patch", "n__g", "tool_search", "?"))
    .map(([call, name]) => start(call, name)),
  fc.tuple(fc.nat(2), fc.string()).map(([call, said]) => argumentsOf(call, said)),
  fc.constant<ChatEvent>({ type: "logprobs", content: [{ token: "a", logprob: 0 }] }),
  fc.constant<ChatEvent>({ type: "annotations", content: [{ type: "url_citation", url: "u" }] }),
);

/** Providers start a call only once. */
function startedOnce(pieces: readonly ChatEvent[]): readonly ChatEvent[] {
  const started = new Set<number>();
  return pieces.filter((event) => {
    if (event.type !== "tool_start") return true;
    const isFirst = !started.has(event.call);
    started.add(event.call);
    return isFirst;
  });
}

test("for any provider events, every item is started, ended and in the output, with all of its pieces", () => {
  const answer = fc.array(piece, { maxLength: 40 }).map(startedOnce);
  fc.assert(
    fc.property(answer, fc.nat(40), reason, fc.boolean(), (pieces, cut, why, isFinished) => {
      const batches = [pieces.slice(0, cut), pieces.slice(cut)].filter((batch) => batch.length > 0);
      const ends = isFinished ? [events(finish(why)), done(why)] : [done(why)];
      const { faults } = streamed([...batches.map((batch) => events(...batch)), ...ends]);
      expect(faults).toEqual([]);
    }),
  );
});

test("parallel calls lose nothing, and keep the order in which they began", () => {
  const whole = fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }).map((given) => JSON.stringify(given));
  const broken = whole.chain((given) => fc.nat(given.length - 1).map((length) => given.slice(0, length)));
  const said = fc.record({ arguments: fc.oneof(whole, broken), name: fc.constantFrom("f", "patch") });
  const turns = fc.array(fc.record({ call: fc.nat(3), length: fc.integer({ min: 1, max: 8 }) }));
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 4 }), turns, (calls, order) => {
      const list: ChatEvent[] = calls.map(({ name }, at) => start(at, name));
      const rest = calls.map((call) => call.arguments);
      const tell = (call: number, length: number) => {
        const left = rest[call] ?? "";
        if (left !== "") list.push(argumentsOf(call, left.slice(0, length)));
        rest[call] = left.slice(length);
      };
      for (const { call, length } of order) tell(call, length);
      for (const call of rest.keys()) tell(call, Number.POSITIVE_INFINITY);
      const parts = list.map((event) => events(event));
      const { response, faults } = streamed([...parts, events(finish("tool_calls")), done("tool_calls")]);
      expect(faults).toEqual([]);
      const inTurn = calls.flatMap((call, at) => [start(at, call.name), argumentsOf(at, call.arguments)]);
      const plain = streamed([events(...inTurn, finish("tool_calls")), done("tool_calls")]);
      expect(outputIn(response)).toEqual(outputIn(plain.response));
      expect(outputIn(response)).toHaveLength(calls.length);
    }),
  );
});

/** What a stream had sent by then, and its final output. */
function toldBefore(list: readonly ChatEvent[], rest: readonly ChatEvent[], reason: FinishReason) {
  const { object, maker } = formsFor();
  const early = createResponseEncoder(object, maker)
    .encode(events(...list))
    .join("");
  const { response, faults } = streamed([events(...list), events(...rest, finish(reason)), done(reason)]);
  expect(faults).toEqual([]);
  return { early, output: outputIn(response) };
}

const calling = (name: string, said: string) => ({ type: "function_call", name, arguments: said });

test.each<[string, ChatEvent]>([
  ["text", text("a long story")],
  ["reasoning", { type: "reasoning", text: "a long story" }],
])("%s after a call without arguments does not wait for them", (_, event) => {
  expect(toldBefore([start(0, "f"), event], [], "stop").early).toContain("a long story");
});

test("text after a call whose arguments are not an object does not wait for more of them", () => {
  const list = [start(0, "f"), argumentsOf(0, "null"), text("a long story")];
  expect(toldBefore(list, [], "stop").early).toContain("a long story");
});

test("arguments of a call that come after text belong to that call", () => {
  const list = [start(0, "f"), argumentsOf(0, ""), text("so"), argumentsOf(0, '{"a"'), text(" be it")];
  const { output } = toldBefore(list, [argumentsOf(0, ":1}")], "tool_calls");
  const whole = { type: "message", content: [{ text: "so" }] };
  expect(output).toMatchObject([whole, calling("f", '{"a":1}'), { content: [{ text: " be it" }] }]);
});

test("a call without arguments is overtaken by text but not by a later call, and is sent once", () => {
  const list = [start(0, "f"), text("so"), start(1, "g"), argumentsOf(1, '{"a":1}'), text(" be it")];
  const { output } = toldBefore(list, [argumentsOf(0, "{}")], "tool_calls");
  const [first, second] = [calling("f", "{}"), calling("g", '{"a":1}')];
  expect(output).toMatchObject([{ type: "message" }, first, second, { type: "message" }]);
});

test("arguments of a call that come after a later call is complete belong to that call", () => {
  const list = [start(0, "f"), start(1, "g"), argumentsOf(1, "{}"), text("so"), argumentsOf(0, '{"a"')];
  const { output } = toldBefore(list, [argumentsOf(0, ":1}"), text(" be it")], "tool_calls");
  expect(output).toMatchObject([
    calling("f", '{"a":1}'),
    calling("g", "{}"),
    { type: "message", content: [{ text: "so be it" }] },
  ]);
});

test("arguments that come after those of a later call belong to their own call", () => {
  const list = [start(0, "f"), start(1, "f"), argumentsOf(1, '{"a"'), argumentsOf(0, '{"b"')];
  const { output } = toldBefore(list, [argumentsOf(1, ":1}"), argumentsOf(0, ":2}")], "tool_calls");
  expect(output.map((item) => item["arguments"])).toEqual(['{"b":2}', '{"a":1}']);
});

test("of parallel calls that were cut off, those that are not complete are incomplete", () => {
  const list = [start(0, "f"), start(1, "f"), start(2, "f"), argumentsOf(0, '{"x":"0"')];
  const rest = [argumentsOf(1, "{}"), argumentsOf(2, '{"x"')];
  const { output } = toldBefore(list, rest, "length");
  expect(output.map((item) => item["status"])).toEqual(["incomplete", "completed", "incomplete"]);
  const said = ['{"x":"0"', "{}", '{"x"'];
  const toolCalls = said.map((text, at) => ({ id: `c${at}`, name: "f", arguments: text }));
  const answer = answerWith({ toolCalls, finishReason: "length" });
  expect(JSON.parse(outputOf(paidFor([answer]).outcome, formsFor().maker))).toEqual([...output]);
});

test("an answer in turns has the same items in one piece as in a stream", () => {
  const thought = (said: string): ChatEvent[] => [
    { type: "reasoning", text: said },
    { type: "reasoning_signature", signature: `acme/${said}` },
  ];
  const list = [...thought("T1"), text("one "), ...thought("T2"), text("two"), start(0, "f", "c0")];
  list.push(argumentsOf(0, "{}"), ...thought("T3"), start(1, "f", "c1"), argumentsOf(1, "{}"));
  const { response } = streamed([events(...list, finish("tool_calls")), done("tool_calls")]);
  const answer = answerWith({
    content: "one two",
    reasoning: ["T1", "T2", "T3"].map((said) => ({ text: said, signature: `acme/${said}` })),
    toolCalls: ["c0", "c1"].map((id) => ({ id, name: "f", arguments: "{}" })),
    order: ["thought", 4, "thought", 3, { call: 0 }, "thought", { call: 1 }],
    finishReason: "tool_calls",
  });
  const items: { type: string }[] = JSON.parse(outputOf(paidFor([answer]).outcome, formsFor().maker));
  expect(items.map(({ type }) => type)).toEqual([
    ...["reasoning", "message", "reasoning", "message", "function_call", "reasoning", "function_call"],
  ]);
  expect(outputIn(response)).toEqual(items);
});
