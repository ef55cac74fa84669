import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent } from "../../contract.ts";
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

describe("usage that words follow", () => {
  test.each<[string, unknown[]]>([
    ["on the first chunk", [{ ...OPENING, ...report(7, 0) }, words, STOP]],
    ["before any choice", [beside(7, 0), words, words, words, STOP]],
    ["behind blanks", [{ ...words, ...report(7, 1) }, delta({ content: "\n" }), words, STOP]],
    [
      "and nulls",
      [
        { ...OPENING, ...report(7, 1) },
        { ...words, usage: null },
        { ...STOP, usage: null },
      ],
    ],
    ["on words of its own", [{ ...words, ...report(7, 5) }, words, words, STOP]],
    ["after many that looked alike", [words, words, words, words, beside(7, 5), words, STOP]],
    ["in the midst of thoughts", [beside(7, 1), delta({ reasoning_content: "hm" }), STOP]],
    ["before a refusal", [beside(7, 1), delta({ refusal: "no" }), STOP]],
    ["before a call", [beside(7, 1), call({ id: "a", function: { name: "f", arguments: "{}" } }), STOP]],
    ["before another call", [call({ id: "a", function: { name: "f" } }), beside(7, 1), CALL_B, STOP]],
    [
      "before the last words",
      [{ ...words, ...report(7, 1) }, delta({ content: "a" }, { finish_reason: "stop" })],
    ],
    ["in the choice", [delta({ content: "a" }, report(7, 1)), words, STOP]],
    ["and another that says less", [{ ...words, ...report(7, 5) }, words, STOP, beside(0, 0)]],
  ])("says nothing of them, only of the input: %s", (_, chunks) => {
    expect(counted(chunks)).toEqual(input(7));
  });

  test("keeps what it says of the prompt", () => {
    const usage = { ...report(70, 1).usage, prompt_tokens_details: { cached_tokens: 40 } };
    expect(counted([{ ...OPENING, usage }, words, STOP])).toEqual({
      type: "input",
      usage: { inputTokens: 70, cachedInputTokens: 40 },
    } as never);
  });
});

describe("usage that words stand before and behind", () => {
  const thoughts = { completion_tokens_details: { reasoning_tokens: 85 } };
  const midway = { ...words, usage: { ...report(10, 90).usage, ...thoughts } };
  const least = { inputTokens: 10, outputTokens: 90, reasoningTokens: 85 };

  test.each<[string, unknown[]]>([
    ["and no other report", [midway, words, STOP]],
    ["and a null", [midway, words, { ...STOP, usage: null }]],
    ["and zeros", [midway, words, STOP, beside(0, 0)]],
    ["and one of the input alone", [midway, words, STOP, beside(10, 0)]],
    ["and many that look alike", [words, words, words, words, midway, words, words, STOP]],
  ])("is the least that was written: %s", (_, chunks) => {
    expect(soFar(chunks)).toEqual(least);
  });

  test("is the last of its kind", () => {
    expect(soFar([{ ...words, ...report(7, 5) }, words, beside(7, 9), words, STOP])).toEqual({
      inputTokens: 7,
      outputTokens: 9,
    });
  });

  test.each<[string, unknown[]]>([
    ["where all of it is reported at last", [midway, words, STOP, beside(10, 95)]],
    ["where every chunk has a report", [midway, { ...words, ...report(10, 95) }, STOP]],
    [
      "where it opened the stream: nothing was written yet",
      [{ ...OPENING, ...report(7, 4_096) }, words, STOP],
    ],
    ["where only zeros followed such a guess", [beside(7, 4_096), words, beside(7, 0), words, STOP]],
    ["where it told of no output", [{ ...words, ...report(7, 0) }, words, STOP]],
    ["where nothing is reported", [words, STOP]],
  ])("is not told %s", (_, chunks) => {
    expect(soFar(chunks)).toBeUndefined();
  });
});

describe("what a report says of the input, for who leaves before the end", () => {
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
    ["with the first words behind it", [beside(7, 0), words, words], [[], [7, "text"], ["text"]]],
    ["with those beside it", [{ ...words, ...report(7, 1) }, words], [[7, "text"], ["text"]]],
    ["in the midst of them", [words, words, beside(7, 1), words], [["text"], ["text"], [], [7, "text"]]],
    [
      "once, where every chunk has one",
      Array(2).fill({ ...words, ...report(7, 1) }),
      [[7, "text"], ["text"]],
    ],
    [
      "again where it is another",
      [
        { ...words, ...report(7, 1) },
        { ...words, ...report(9, 2) },
      ],
      [
        [7, "text"],
        [9, "text"],
      ],
    ],
    ["not where it says nothing", [beside(0, 0), words], [[], ["text"]]],
    ["not alone", [words, beside(7, 1)], [["text"], []]],
  ])("is told %s", (_, chunks, expected) => {
    expect(toldBy(chunks)).toEqual(expected as never);
  });

  test("is told again where another part of it turns out to be cached", () => {
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

  test("is made once, however often the same is reported", () => {
    const made = spyOn(UsageReports.prototype, "input");
    const chunks = Array.from({ length: 50 }, (_, at) => ({ ...words, ...report(7, at) }));
    try {
      decodeChunks([...chunks, STOP]);
      expect(made).toHaveBeenCalledTimes(1);
    } finally {
      made.mockRestore();
    }
  });

  test("is not told beside an answer that came whole with it", () => {
    const choices = [{ index: 0, message: { content: [{ text: "a" }] }, finish_reason: "stop" }];
    expect(decodeWhole({ choices, ...report(7, 1) }).map(({ type }) => type)).toEqual(["text", "finish"]);
  });
});

describe("of several reports", () => {
  const whole = { inputTokens: 7, outputTokens: 1_700 };
  test.each<[string, unknown[]]>([
    ["the last counts", [{ ...OPENING, ...report(0, 0) }, words, STOP, beside(7, 1_700)]],
    [
      "each with words of its own",
      [{ ...words, ...report(7, 5) }, { ...words, ...report(7, 1_700) }, delta({ content: "" }), STOP],
    ],
    ["zeros at the end undo nothing", [{ ...words, ...report(7, 1_700) }, STOP, beside(0, 0)]],
    [
      "a smaller one undoes nothing",
      [
        { ...words, ...report(7, 1_700) },
        { ...STOP, ...report(7, 0) },
      ],
    ],
    ["no prompt is unread by a zero", [words, { ...STOP, ...report(7, 3) }, beside(0, 1_700)]],
    ["nor by one after the words", [{ ...OPENING, ...report(7, 0) }, words, STOP, beside(0, 1_700)]],
    ["nor is what was written", [words, { ...STOP, ...report(0, 1_700) }, beside(7, 0)]],
    ["zeros in the choice undo nothing", [words, { ...delta({}, report(0, 0)), ...report(7, 1_700) }, STOP]],
    [
      "a call that says no more outdates none",
      [
        call({ id: "a", function: { name: "f", arguments: "{}" } }),
        beside(7, 1_700),
        call({ function: { arguments: "" } }),
        STOP,
      ],
    ],
    [
      "the last also where it is smaller",
      [{ ...words, ...report(7, 1_701) }, { ...words, ...report(7, 1_700) }, STOP],
    ],
    [
      "the last where the first was a guess",
      [{ ...OPENING, ...report(7, 4_096) }, words, STOP, beside(7, 1_700)],
    ],
  ])("%s", (_, chunks) => {
    expect(counted(chunks)).toEqual(whole as never);
  });

  test("a prompt that no zero unreads keeps what it consists of, and what was written what it has of thoughts", () => {
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

  test("one that says what was read outdates none of what was written, and renews none", () => {
    expect(counted([words, beside(0, 5), words, beside(7, 0), STOP])).toEqual(input(7));
    expect(counted([words, beside(7, 5), words, beside(0, 9), STOP])).toEqual({
      inputTokens: 7,
      outputTokens: 9,
    } as never);
  });

  test("the first is 0 where it says so", () => {
    expect(counted([words, STOP, beside(0, 0)])).toEqual({ inputTokens: 0, outputTokens: 0 } as never);
  });
});

test("a report that nothing follows is what counts, whatever was said before it", () => {
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

describe("what adds no words of the model's outdates no report", () => {
  const called = call({ id: "a", function: { name: "f", arguments: '{"a":1}' } });
  const details = (fields: object) => delta({ content: "", reasoning_details: [fields] });
  const before = { ...words, ...report(7, 1_700) };
  test.each<[string, unknown[]]>([
    ["a call said once more", [{ ...called, ...report(7, 1_700) }, called, STOP]],
    [
      "a name said once more",
      [called, before, call({ id: "a", function: { name: "f", arguments: "" } }), STOP],
    ],
    ["the end of a call without arguments", [call({ id: "a", function: { name: "f" } }), before, STOP]],
    ["sealed thoughts", [before, details({ type: "reasoning.encrypted", data: "abc" }), STOP]],
    ["a signature", [before, details({ type: "reasoning.text", text: "", signature: "abc" }), STOP]],
    ["blanks", [before, delta({ content: "\n" }), STOP]],
    ["marks of a server's own", [before, delta({ name: "MiniMax AI", content: "" }), STOP]],
    ["whatever comes after the end", [words, { ...STOP, ...report(7, 1_700) }, delta({ content: "." })]],
  ])("%s", (_, chunks) => {
    expect(counted(chunks)).toEqual({ inputTokens: 7, outputTokens: 1_700 } as never);
  });

  test("thoughts under another name do where they reach the client", () => {
    const chunks = [{ ...OPENING, ...report(7, 0) }, delta({ thinking: "river" }), STOP];
    const reading = wireReading(expecting({}), { isFirstForm: false });
    expect(countedBy(reading, chunks)).toEqual(input(7));
  });
});

describe("usage inside each of several answers", () => {
  const choice = (index: number, fields: object) => ({ choices: [{ index, delta: {}, ...fields }] });
  const said = (index: number) => choice(index, { delta: { content: "river stone" } });
  const end = (index: number, completion?: number) =>
    choice(index, {
      finish_reason: "stop",
      ...(completion === undefined ? {} : report(10, completion)),
    });

  test("is all that was written, and the prompt once", () => {
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

  test("counts as the last of its answer", () => {
    const chunks = [choice(0, { delta: { content: "a" }, ...report(10, 1) }), end(0, 9), said(1), end(1, 8)];
    expect(counted(chunks, 2)).toEqual({ inputTokens: 10, outputTokens: 17 } as never);
  });

  test("gives way to what is said of all of them", () => {
    const chunks = [said(0), end(0, 900), said(1), end(1, 900), beside(12, 1_750)];
    expect(counted(chunks, 2)).toEqual({ inputTokens: 12, outputTokens: 1_750 } as never);
    const early = [beside(12, 0), ...chunks.slice(0, -1)];
    expect(counted(early, 2)).toEqual({ inputTokens: 10, outputTokens: 1_800 } as never);
  });

  test("says only the input where one of them has none, or goes on after it", () => {
    expect(counted([said(0), end(0, 900), said(1), end(1)], 2)).toEqual(input(10));
    expect(counted([choice(0, report(10, 900)), said(0), end(0), said(1), end(1, 900)], 2)).toEqual(
      input(10),
    );
  });
});
