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

describe("an answer with two finish reasons", () => {
  test.each([
    ["length", "stop"],
    ["content_filter", "stop"],
    ["stop", "length"],
  ] as const)("ends with the first of them: %s, then %s", (first, second) => {
    expect(endOf([say("a"), ended(first), ended(second)])).toBe(first);
  });
});

describe("an answer that continues after its finish reason", () => {
  test("passes on all text and has one finish reason, in the last chunk", () => {
    const chunks = [say("a"), say("b"), STOP, say(" more"), say(" words"), STOP];
    const choices = choicesOf(chunks);
    expect(choices.map(({ delta }) => delta.content ?? "").join("")).toBe("ab more words");
    expect(choices.map(({ finish_reason: reason }) => reason)).toEqual([null, null, null, null, "stop"]);
    expect(wireChunks(chunks).wire.at(-1)?.isClosing).toBe(true);
  });

  test.each([
    ["one that is sent afterwards", [say("a"), STOP, CALL]],
    ["one with its own finish reason", [say("a"), STOP, CALL, ended("tool_calls")]],
    [
      "one that began before",
      [delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f" } }] }), STOP, CALL],
    ],
  ])("ends with tool_calls if there is a call after it: %s", (_, chunks) => {
    expect(endOf(chunks)).toBe("tool_calls");
    const calls = choicesOf(chunks).flatMap(
      ({ delta }) => (delta.tool_calls ?? []) as { function: object }[],
    );
    const told = calls.map((call) => (call.function as { arguments?: string }).arguments ?? "").join("");
    expect(told).toBe('{"a":1}');
  });

  test("passes on text beside the finish reason immediately; only the first delta has the role", () => {
    const { wire, chunks } = wireChunks([ended("stop", { content: "a" }), say("b")]);
    const choices = chunks.map(({ choices }) => (choices as Choice[])[0]?.delta);
    expect(choices).toEqual([{ role: "assistant", content: "a" }, { content: "b" }, {}]);
    expect(wire.map(({ written }) => written)).toEqual(["a", "b", ""]);
  });

  test("has the role in its first delta only, even if the finish reason comes first", () => {
    const deltas = choicesOf([STOP, say("a")]).map(({ delta }) => delta);
    expect(deltas).toEqual([{ role: "assistant", content: "a" }, {}]);
    expect(choicesOf([STOP, delta({})]).map(({ delta }) => delta)).toEqual([{ role: "assistant" }]);
    expect(choicesOf([STOP, CALL]).map(({ delta }) => delta.role)).toEqual([
      "assistant",
      undefined,
      undefined,
    ]);
  });

  test("keeps the other fields of the chunk with the finish reason", () => {
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
    ["with the finish reason", [say("a"), { ...STOP, ...usage(9) }, say("b")]],
    [
      "after the finish reason and again at the end",
      [say("a"), STOP, { choices: [], ...usage(2) }, say("b"), usage(9)],
    ],
    [
      "with the finish reason and with the last text",
      [
        { ...STOP, ...usage(2) },
        { ...say("b"), ...usage(9) },
      ],
    ],
    ["with each chunk", [{ ...say("a"), ...usage(1) }, { ...STOP, ...usage(2) }, say("b"), usage(9)]],
  ])("has the usage that was reported last: %s", (_, chunks) => {
    const counted = { inputTokens: 11, outputTokens: 9 };
    expect(decodeChunks(chunks).at(-1)).toMatchObject({ type: "finish", usage: counted });
    expect(wireChunks(chunks).finish.usage).toMatchObject(counted);
  });

  test("ends with function_call if the request used legacy functions", () => {
    const call = delta({ function_call: { name: "f", arguments: "{}" } });
    const [said, end] = choicesOf([STOP, call], { form: { isFirstForm: true } });
    expect(said?.delta).toEqual({
      role: "assistant",
      function_call: { name: "f", arguments: "{}" },
    } as never);
    expect(end?.finish_reason).toBe("function_call");
  });
});
