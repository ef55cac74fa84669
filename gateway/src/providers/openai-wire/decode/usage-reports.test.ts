import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent } from "../../../contract/index.ts";
import { neutralReading, type Reading, wireReading } from "../reading.ts";
import { decodeChunks, decodeWhole, delta, expecting, STOP } from "../testing.ts";
import { UsageReports } from "./usage-reports.ts";

const report = (prompt: number, completion: number) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
});
const beside = (prompt: number, completion: number) => ({ choices: [], ...report(prompt, completion) });
const words = delta({ content: "river stone " });
const OPENING = delta({ role: "assistant", content: "" });
const CALL_B = delta({ tool_calls: [{ index: 1, id: "b", function: { name: "g", arguments: "" } }] });
const call = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] });

/** The usage reported of an answer that went on, in neutral events and on the wire. */
function soFar(chunks: readonly unknown[], n = 1) {
  const neutral = finishOf(neutralReading(expecting({ n })), chunks).finish.usageSoFar;
  const wire = finishOf(wireReading(expecting({ n }), { isFirstForm: false }), chunks).finish.usageSoFar;
  expect(wire).toEqual(neutral as never);
  return neutral;
}

/** What counts at the end of a stream: usage, or only the input; the same in neutral events and on the wire. */
function counted(chunks: readonly unknown[], n = 1) {
  const neutral = countedBy(neutralReading(expecting({ n })), chunks);
  expect(countedBy(wireReading(expecting({ n }), { isFirstForm: false }), chunks)).toEqual(neutral);
  return neutral;
}

function countedBy(reading: Reading, chunks: readonly unknown[]) {
  const { finish, events } = finishOf(reading, chunks);
  return finish.usage ?? events.find(({ type }) => type === "input") ?? null;
}

function finishOf(reading: Reading, chunks: readonly unknown[]) {
  const decoder = reading.stream();
  const events: ChatEvent[] = [];
  for (const chunk of chunks)
    events.push(...decoder.push([{ event: "message", data: JSON.stringify(chunk) }]));
  events.push(...decoder.end());
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("finish is last");
  return { finish, events };
}

const input = (inputTokens: number) => ({ type: "input", usage: { inputTokens } }) as never;

describe("usage that is followed by more text", () => {
  test.each<[string, unknown[]]>([
    ["on the first chunk", [{ ...OPENING, ...report(7, 0) }, words, STOP]],
    ["before any choice", [beside(7, 0), words, words, words, STOP]],
    ["before whitespace", [{ ...words, ...report(7, 1) }, delta({ content: "\n" }), words, STOP]],
    [
      "followed by null reports",
      [
        { ...OPENING, ...report(7, 1) },
        { ...words, usage: null },
        { ...STOP, usage: null },
      ],
    ],
    ["on a chunk with text", [{ ...words, ...report(7, 5) }, words, words, STOP]],
    ["after many chunks of one shape", [words, words, words, words, beside(7, 5), words, STOP]],
    ["before reasoning", [beside(7, 1), delta({ reasoning_content: "hm" }), STOP]],
    ["before a refusal", [beside(7, 1), delta({ refusal: "no" }), STOP]],
    ["before a call", [beside(7, 1), call({ id: "a", function: { name: "f", arguments: "{}" } }), STOP]],
    ["before another call", [call({ id: "a", function: { name: "f" } }), beside(7, 1), CALL_B, STOP]],
    [
      "before text beside the finish reason",
      [{ ...words, ...report(7, 1) }, delta({ content: "a" }, { finish_reason: "stop" })],
    ],
    ["in the choice", [delta({ content: "a" }, report(7, 1)), words, STOP]],
    ["followed by a report of zeros", [{ ...words, ...report(7, 5) }, words, STOP, beside(0, 0)]],
  ])("counts only for the input: %s", (_, chunks) => {
    expect(counted(chunks)).toEqual(input(7));
  });

  test("keeps the details of the prompt", () => {
    const usage = { ...report(70, 1).usage, prompt_tokens_details: { cached_tokens: 40 } };
    expect(counted([{ ...OPENING, usage }, words, STOP])).toEqual({
      type: "input",
      usage: { inputTokens: 70, cachedInputTokens: 40 },
    } as never);
  });
});

test("parts of the output that are only shown are kept, but for counts that cannot be", () => {
  const parts = { audio_tokens: 6, accepted_prediction_tokens: 4, rejected_prediction_tokens: -2 };
  const usage = { ...report(70, 20).usage, completion_tokens_details: parts };
  const unpriced = { audio: 6, acceptedPrediction: 4, rejectedPrediction: 0 };
  const shown = { inputTokens: 70, outputTokens: 20, unpriced };
  expect(counted([words, STOP, { choices: [], usage }])).toEqual(shown as never);
  expect(counted([words, { ...STOP, usage }, beside(70, 0)])).toEqual(shown as never);
});

describe("usage in the middle of the text", () => {
  const thoughts = { completion_tokens_details: { reasoning_tokens: 85 } };
  const midway = { ...words, usage: { ...report(10, 90).usage, ...thoughts } };
  const least = { inputTokens: 10, outputTokens: 90, reasoningTokens: 85 };

  test.each<[string, unknown[]]>([
    ["no other report", [midway, words, STOP]],
    ["followed by null", [midway, words, { ...STOP, usage: null }]],
    ["followed by zeros", [midway, words, STOP, beside(0, 0)]],
    ["followed by a report of the input only", [midway, words, STOP, beside(10, 0)]],
    ["among many chunks of one shape", [words, words, words, words, midway, words, words, STOP]],
  ])("is reported as the usage so far: %s", (_, chunks) => {
    expect(soFar(chunks)).toEqual(least);
  });

  test("is reported so far as the last such report says", () => {
    expect(soFar([{ ...words, ...report(7, 5) }, words, beside(7, 9), words, STOP])).toEqual({
      inputTokens: 7,
      outputTokens: 9,
    });
  });

  test.each<[string, unknown[]]>([
    ["if the complete usage is reported at the end", [midway, words, STOP, beside(10, 95)]],
    ["if every chunk has a report", [midway, { ...words, ...report(10, 95) }, STOP]],
    ["if it came before any text", [{ ...OPENING, ...report(7, 4_096) }, words, STOP]],
    ["if zero output followed an early report", [beside(7, 4_096), words, beside(7, 0), words, STOP]],
    ["if it reported no output", [{ ...words, ...report(7, 0) }, words, STOP]],
    ["if nothing is reported", [words, STOP]],
  ])("is not reported as usage so far %s", (_, chunks) => {
    expect(soFar(chunks)).toBeUndefined();
  });
});

describe("reported input, for callers who disconnect before the end", () => {
  /** The types of the events of each chunk, and what they report of the input. */
  function toldBy(chunks: readonly unknown[]) {
    const decoder = neutralReading(expecting()).stream();
    return chunks.map((chunk) =>
      decoder
        .push([{ event: "message", data: JSON.stringify(chunk) }])
        .map((event) => (event.type === "input" ? event.usage.inputTokens : event.type)),
    );
  }

  test.each<[string, unknown[], unknown[]]>([
    ["with the first text after the report", [beside(7, 0), words, words], [[], [7, "text"], ["text"]]],
    ["with text in the same chunk", [{ ...words, ...report(7, 1) }, words], [[7, "text"], ["text"]]],
    ["with the next text", [words, words, beside(7, 1), words], [["text"], ["text"], [], [7, "text"]]],
    [
      "once if every chunk reports the same",
      Array(2).fill({ ...words, ...report(7, 1) }),
      [[7, "text"], ["text"]],
    ],
    [
      "again if it changed",
      [
        { ...words, ...report(7, 1) },
        { ...words, ...report(9, 2) },
      ],
      [
        [7, "text"],
        [9, "text"],
      ],
    ],
    ["not if it is zero", [beside(0, 0), words], [[], ["text"]]],
    ["not without text after it", [words, beside(7, 1)], [["text"], []]],
  ])("is emitted %s", (_, chunks, expected) => {
    expect(toldBy(chunks)).toEqual(expected as never);
  });

  test("is emitted again if the cached part changed", () => {
    const cached = (tokens: number) => ({
      usage: { ...report(7, 1).usage, prompt_tokens_details: { cached_tokens: tokens } },
    });
    const chunks = [0, 0, 5, 5].map((tokens) => ({ ...words, ...cached(tokens) }));
    const told = decodeChunks([...chunks, STOP]).filter(({ type }) => type === "input");
    expect(told).toEqual([
      { type: "input", usage: { inputTokens: 7 } },
      { type: "input", usage: { inputTokens: 7, cachedInputTokens: 5 } },
    ]);
  });

  test("is built once, however often the same input is reported", () => {
    const made = spyOn(UsageReports.prototype, "input");
    const chunks = Array.from({ length: 50 }, (_, at) => ({ ...words, ...report(7, at) }));
    try {
      decodeChunks([...chunks, STOP]);
      expect(made).toHaveBeenCalledTimes(1);
    } finally {
      made.mockRestore();
    }
  });

  test("is not emitted for a whole reply", () => {
    const choices = [{ index: 0, message: { content: [{ text: "a" }] }, finish_reason: "stop" }];
    expect(decodeWhole({ choices, ...report(7, 1) }).map(({ type }) => type)).toEqual(["text", "finish"]);
  });
});

describe("of several usage reports", () => {
  const whole = { inputTokens: 7, outputTokens: 1_700 };
  test.each<[string, unknown[]]>([
    ["zeros at the start do not count", [{ ...OPENING, ...report(0, 0) }, words, STOP, beside(7, 1_700)]],
    [
      "the last counts if each comes with text",
      [{ ...words, ...report(7, 5) }, { ...words, ...report(7, 1_700) }, delta({ content: "" }), STOP],
    ],
    ["zeros at the end do not count", [{ ...words, ...report(7, 1_700) }, STOP, beside(0, 0)]],
    [
      "one without output at the end changes nothing",
      [
        { ...words, ...report(7, 1_700) },
        { ...STOP, ...report(7, 0) },
      ],
    ],
    ["a prompt of 0 replaces none", [words, { ...STOP, ...report(7, 3) }, beside(0, 1_700)]],
    ["a later prompt of 0 replaces none", [{ ...OPENING, ...report(7, 0) }, words, STOP, beside(0, 1_700)]],
    ["an output of 0 replaces none", [words, { ...STOP, ...report(0, 1_700) }, beside(7, 0)]],
    ["zeros in a choice do not count", [words, { ...delta({}, report(0, 0)), ...report(7, 1_700) }, STOP]],
    [
      "an empty call fragment after one does not invalidate it",
      [
        call({ id: "a", function: { name: "f", arguments: "{}" } }),
        beside(7, 1_700),
        call({ function: { arguments: "" } }),
        STOP,
      ],
    ],
    [
      "the last counts also if it is smaller",
      [{ ...words, ...report(7, 1_701) }, { ...words, ...report(7, 1_700) }, STOP],
    ],
    [
      "the last counts if the first came before any text",
      [{ ...OPENING, ...report(7, 4_096) }, words, STOP, beside(7, 1_700)],
    ],
  ])("%s", (_, chunks) => {
    expect(counted(chunks)).toEqual(whole as never);
  });

  test("a report with a 0 keeps the earlier count in its place, with that count's details", () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 9 },
    };
    const first = { choices: [], usage: { ...report(7, 20).usage, ...details } };
    const writtenLater = { inputTokens: 7, cachedInputTokens: 4, outputTokens: 30 };
    expect(counted([words, STOP, first, beside(0, 30)])).toEqual(writtenLater as never);
    const readLater = { inputTokens: 8, outputTokens: 20, reasoningTokens: 9 };
    expect(counted([words, STOP, first, beside(8, 0)])).toEqual(readLater as never);
  });

  test("a report of input only does not renew an outdated output; one of output only keeps the input", () => {
    expect(counted([words, beside(0, 5), words, beside(7, 0), STOP])).toEqual(input(7));
    expect(counted([words, beside(7, 5), words, beside(0, 9), STOP])).toEqual({
      inputTokens: 7,
      outputTokens: 9,
    } as never);
  });

  test("a single report of zeros counts as zeros", () => {
    expect(counted([words, STOP, beside(0, 0)])).toEqual({ inputTokens: 0, outputTokens: 0 } as never);
  });
});

test("a report with output that no text follows is what counts, whatever came before it", () => {
  const said = fc.constantFrom<object>(words, OPENING, CALL_B, delta({ reasoning_content: "hm" }));
  const reported = fc.integer({ min: 0, max: 3_000 });
  const piece = fc.oneof(
    said,
    reported.map((count) => beside(7, count)),
    fc.tuple(said, reported).map(([chunk, count]) => ({ ...chunk, ...report(7, count) })),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), reported, (pieces, last) => {
      fc.pre(last > 0);
      const usage = { inputTokens: 7, outputTokens: last } as never;
      expect(counted([...pieces, STOP, beside(7, last)])).toEqual(usage);
      expect(counted([...pieces, { ...words, ...report(7, last) }, STOP])).toEqual(usage);
    }),
  );
});

describe("a usage report is not invalidated by", () => {
  const called = call({ id: "a", function: { name: "f", arguments: '{"a":1}' } });
  const details = (fields: object) => delta({ content: "", reasoning_details: [fields] });
  const before = { ...words, ...report(7, 1_700) };
  test.each<[string, unknown[]]>([
    ["a repeated call", [{ ...called, ...report(7, 1_700) }, called, STOP]],
    [
      "a repeated name of a call",
      [called, before, call({ id: "a", function: { name: "f", arguments: "" } }), STOP],
    ],
    ["the end of a call without arguments", [call({ id: "a", function: { name: "f" } }), before, STOP]],
    ["encrypted reasoning", [before, details({ type: "reasoning.encrypted", data: "abc" }), STOP]],
    ["signatures", [before, details({ type: "reasoning.text", text: "", signature: "abc" }), STOP]],
    ["whitespace", [before, delta({ content: "\n" }), STOP]],
    ["a server's own fields", [before, delta({ name: "MiniMax AI", content: "" }), STOP]],
    ["text after the finish reason", [words, { ...STOP, ...report(7, 1_700) }, delta({ content: "." })]],
  ])("%s", (_, chunks) => {
    expect(counted(chunks)).toEqual({ inputTokens: 7, outputTokens: 1_700 } as never);
  });

  test("anything but text that reaches the client, such as reasoning under another name", () => {
    const chunks = [{ ...OPENING, ...report(7, 0) }, delta({ thinking: "river" }), STOP];
    const reading = wireReading(expecting({}), { isFirstForm: false });
    expect(countedBy(reading, chunks)).toEqual(input(7));
  });
});

describe("usage inside each of several choices", () => {
  const choice = (index: number, fields: object) => ({ choices: [{ index, delta: {}, ...fields }] });
  const said = (index: number) => choice(index, { delta: { content: "river stone" } });
  const end = (index: number, completion?: number) =>
    choice(index, {
      finish_reason: "stop",
      ...(completion === undefined ? {} : report(10, completion)),
    });

  test("is added up for the output, with the prompt counted once", () => {
    const chunks = [said(0), end(0, 900), said(1), end(1, 800), said(2), end(2, 700)];
    expect(counted(chunks, 3)).toEqual({ inputTokens: 10, outputTokens: 2_400 } as never);
    const choices = [0, 1].map((index) => ({
      ...{ index, message: { content: "a" }, finish_reason: "stop" },
      usage: { ...report(10, 5).usage, completion_tokens_details: { reasoning_tokens: 2 } },
    }));
    expect(decodeWhole({ choices }, { n: 2 }).at(-1)).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 10, reasoningTokens: 4 },
    });
  });

  test("counts as last reported for its choice", () => {
    const chunks = [choice(0, { delta: { content: "a" }, ...report(10, 1) }), end(0, 9), said(1), end(1, 8)];
    expect(counted(chunks, 2)).toEqual({ inputTokens: 10, outputTokens: 17 } as never);
  });

  test("is overridden by a later report for all choices, not by an earlier one", () => {
    const chunks = [said(0), end(0, 900), said(1), end(1, 900), beside(12, 1_750)];
    expect(counted(chunks, 2)).toEqual({ inputTokens: 12, outputTokens: 1_750 } as never);
    const early = [beside(12, 0), ...chunks.slice(0, -1)];
    expect(counted(early, 2)).toEqual({ inputTokens: 10, outputTokens: 1_800 } as never);
  });

  test("counts only for the input if a choice has no usage, or text after it", () => {
    expect(counted([said(0), end(0, 900), said(1), end(1)], 2)).toEqual(input(10));
    expect(counted([choice(0, report(10, 900)), said(0), end(0), said(1), end(1, 900)], 2)).toEqual(
      input(10),
    );
  });
});
