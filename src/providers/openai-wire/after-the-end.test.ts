import { describe, expect, test } from "bun:test";
import { decodeChunks, delta, STOP, wireChunks } from "./testing.ts";

const ended = (word: string, fields: object = {}) => delta({ ...fields }, { finish_reason: word });
const say = (content: string) => delta({ content });
const CALL = delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: '{"a":1}' } }] });

type Choice = { delta: { content?: string; role?: string; tool_calls?: object[] }; finish_reason: unknown };

function choicesOf(chunks: readonly unknown[], given: Parameters<typeof wireChunks>[1] = {}): Choice[] {
  return wireChunks(chunks, given).chunks.map(({ choices }) => (choices as Choice[])[0] as Choice);
}

/** How an answer of these chunks ended; the same in neutral events, on the wire, and for our own use. */
function endOf(chunks: readonly unknown[]) {
  const neutral = decodeChunks(chunks).at(-1);
  const { finish } = wireChunks(chunks);
  const last = choicesOf(chunks).at(-1)?.finish_reason;
  const reason = neutral?.type === "finish" ? neutral.reason : null;
  expect([finish.reason, last]).toEqual([reason, reason]);
  return reason;
}

describe("an answer that ends more than once", () => {
  test.each([
    ["length", "stop"],
    ["content_filter", "stop"],
    ["stop", "length"],
  ] as const)("has ended as it said first: %s, then %s", (first, second) => {
    expect(endOf([say("a"), ended(first), ended(second)])).toBe(first);
  });
});

describe("an answer that goes on after its end", () => {
  test("ends once, and last", () => {
    const chunks = [say("a"), say("b"), STOP, say(" more"), say(" words"), STOP];
    const choices = choicesOf(chunks);
    expect(choices.map(({ delta }) => delta.content ?? "").join("")).toBe("ab more words");
    expect(choices.map(({ finish_reason: reason }) => reason)).toEqual([null, null, null, null, "stop"]);
    expect(wireChunks(chunks).wire.at(-1)?.isClosing).toBe(true);
  });

  test.each([
    ["one that is said then", [say("a"), STOP, CALL]],
    ["one that says its end, too", [say("a"), STOP, CALL, ended("tool_calls")]],
    [
      "one that had begun",
      [delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f" } }] }), STOP, CALL],
    ],
  ])("with a call ends in it: %s", (_, chunks) => {
    expect(endOf(chunks)).toBe("tool_calls");
    const calls = choicesOf(chunks).flatMap(
      ({ delta }) => (delta.tool_calls ?? []) as { function: object }[],
    );
    const told = calls.map((call) => (call.function as { arguments?: string }).arguments ?? "").join("");
    expect(told).toBe('{"a":1}');
  });

  test("says the words of its end at once, and who speaks with the first of them", () => {
    const { wire, chunks } = wireChunks([ended("stop", { content: "a" }), say("b")]);
    const choices = chunks.map(({ choices }) => (choices as Choice[])[0]?.delta);
    expect(choices).toEqual([{ role: "assistant", content: "a" }, { content: "b" }, {}]);
    expect(wire.map(({ written }) => written)).toEqual(["a", "b", ""]);
  });

  test("says who speaks once, where its end came first", () => {
    const deltas = choicesOf([STOP, say("a")]).map(({ delta }) => delta);
    expect(deltas).toEqual([{ role: "assistant", content: "a" }, {}]);
    expect(choicesOf([STOP, delta({})]).map(({ delta }) => delta)).toEqual([{ role: "assistant" }]);
    expect(choicesOf([STOP, CALL]).map(({ delta }) => delta.role)).toEqual([
      "assistant",
      undefined,
      undefined,
    ]);
  });

  test("keeps what its end said beside it", () => {
    const end = { ...delta({}, { finish_reason: "stop", native: "eos" }), system_fingerprint: "fp" };
    const { chunks } = wireChunks([say("a"), end, { ...say("b"), system_fingerprint: "other" }]);
    expect(chunks.at(-1)).toEqual({
      choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop", native: "eos" }],
      system_fingerprint: "fp",
    });
  });

  const usage = (completion_tokens: number) => ({
    usage: { prompt_tokens: 11, completion_tokens, total_tokens: 11 + completion_tokens },
  });
  test.each([
    ["with its end", [say("a"), { ...STOP, ...usage(9) }, say("b")]],
    ["after its end and once more", [say("a"), STOP, { choices: [], ...usage(2) }, say("b"), usage(9)]],
    [
      "with its end and with its last words",
      [
        { ...STOP, ...usage(2) },
        { ...say("b"), ...usage(9) },
      ],
    ],
    ["with each of its words", [{ ...say("a"), ...usage(1) }, { ...STOP, ...usage(2) }, say("b"), usage(9)]],
  ])("is counted by what was reported last: %s", (_, chunks) => {
    const counted = { inputTokens: 11, outputTokens: 9 };
    expect(decodeChunks(chunks).at(-1)).toMatchObject({ type: "finish", usage: counted });
    expect(wireChunks(chunks).finish.usage).toMatchObject(counted);
  });

  test("ends as the wire's first form asks", () => {
    const call = delta({ function_call: { name: "f", arguments: "{}" } });
    const [said, end] = choicesOf([STOP, call], { form: { isFirstForm: true } });
    expect(said?.delta).toEqual({
      role: "assistant",
      function_call: { name: "f", arguments: "{}" },
    } as never);
    expect(end?.finish_reason).toBe("function_call");
  });
});
