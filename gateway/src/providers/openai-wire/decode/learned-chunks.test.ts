import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { roundsOfRun } from "../../../../../test/rounds-of-run.ts";
import type { ChatEvent } from "../../../contract/index.ts";
import { createWireAnswer } from "../passthrough/wire-answer.ts";
import type { WireForm } from "../passthrough/wire-form.ts";
import { delta, expecting } from "../testing.ts";
import { type CreateAnswer, createChunkDecoder } from "./decode-chunk.ts";
import { createStreamDecoder } from "./decode-stream.ts";
import { PAD_PROBE, PROBE } from "./plain-chunk.ts";

type Json = Readonly<Record<string, unknown>>;

const CONTEXT = expecting({ n: 2 });
const sealCallId: WireForm["sealCallId"] = (id, signature, reasoning) =>
  `${id}+${signature}+${JSON.stringify(reasoning)}`;
const wire = (form: WireForm): CreateAnswer => {
  return (index) => createWireAnswer({ ...CONTEXT, index, form });
};
const READERS: readonly (readonly [string, CreateAnswer | undefined])[] = [
  ["in neutral events", undefined],
  ["in wire chunks", wire({ isFirstForm: false })],
  ["in wire chunks of the legacy form", wire({ isFirstForm: true })],
  ["in wire chunks with sealed call ids", wire({ isFirstForm: false, sealCallId })],
];

/** What a reader gets from a stream, or the error it fails with. */
function told(read: (out: ChatEvent[]) => void): unknown {
  const out: ChatEvent[] = [];
  try {
    read(out);
  } catch (error) {
    return String(error);
  }
  // Ids that we make differ each time, fields may be written in several ways, and only learned events have a `place`.
  const events = out.map((event) =>
    event.type === "wire" ? { ...event, members: JSON.parse(`{${event.members}}`), place: undefined } : event,
  );
  return JSON.parse(JSON.stringify(events).replaceAll(/call_[0-9a-f]{32}/g, "call_of_ours"));
}

function learning(chunks: readonly string[], createAnswer?: CreateAnswer): unknown {
  return told((out) => {
    const decoder = createStreamDecoder(CONTEXT, createAnswer);
    out.push(...decoder.push(chunks.map((data) => ({ event: "message", data }))), ...decoder.end());
  });
}

function parsing(chunks: readonly string[], createAnswer?: CreateAnswer): unknown {
  return told((out) => {
    const decoder = createChunkDecoder({ ...CONTEXT, whole: false }, createAnswer);
    for (const data of chunks) decoder.push(JSON.parse(data), out);
    decoder.end(out, false);
  });
}

/** A chunk without its text. */
type Shape = (words: string) => Json;
const shape = <Fields>(fields: fc.Arbitrary<Fields>, write: (fields: Fields, words: string) => Json) =>
  fields.map(
    (given): Shape =>
      (words) =>
        write(given, words),
  );
/** Decoders learn from ordinary chunks, so oddities must be rare. */
const mostly = <Value>(usual: Value, ...odd: readonly Value[]) =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const fragment: fc.Arbitrary<Shape> = shape(
  fc.record({
    index: mostly<unknown>(0, 1, "0", null, undefined),
    opening: fc.constantFrom(
      {},
      {},
      { id: "a", name: "f" },
      { id: "b", name: "g" },
      { name: "f" },
      { id: "a" },
    ),
    field: mostly("arguments", "input"),
    holder: mostly("function", "custom"),
    input: mostly<unknown>(undefined, "more"),
    extra_content: mostly<unknown>(undefined, { google: { thought_signature: "s" } }),
  }),
  ({ opening: { id, name }, field, holder, input, ...fields }, words) => ({
    ...fields,
    id,
    [holder]: { name, input, [field]: words },
  }),
);
const call = shape(fragment, (write, words) => ({ tool_calls: [write(words)] }));
const anything: fc.Arbitrary<Shape> = fc.oneof(
  shape(fc.constantFrom("content", "reasoning", "reasoning_content", "refusal"), (name, words) => ({
    [name]: words,
  })),
  shape(fc.constantFrom("content", "reasoning"), (name, words) => ({
    content: name === "reasoning" ? "" : null,
    [name]: words,
  })),
  shape(fc.constantFrom("text", "summary"), (name, words) => ({
    reasoning_details: [{ type: "reasoning.text", [name]: words, signature: "s" }],
  })),
  shape(fc.constant(null), (_, words) => ({ content: [{ type: "text", text: words }] })),
  shape(fc.constantFrom(undefined, "f"), (name, words) => ({ function_call: { name, arguments: words } })),
  shape(fc.tuple(fragment, fragment), (fragments, words) => ({
    tool_calls: fragments.map((write) => write(words)),
  })),
  call,
);

function chunksOf(deltas: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> {
  const fields = fc.record({
    write: deltas,
    role: mostly<unknown>(undefined, "assistant"),
    unknown: mostly<unknown>(undefined, "x"),
    index: mostly<unknown>(0, undefined, null, 1),
    finish_reason: mostly<unknown>(null, undefined, "", "stop", "tool_calls"),
    logprobs: mostly<unknown>(null, undefined, { content: [{ token: "a" }] }),
    filtered: mostly<unknown>(undefined, "x"),
    usage: mostly<unknown>(null, undefined, { prompt_tokens: 3, completion_tokens: 2 }),
    obfuscation: mostly<unknown>(undefined, "", "xY1", PROBE, PAD_PROBE),
    system_fingerprint: mostly<unknown>(undefined, "fp"),
  });
  return shape(
    fields,
    ({ write, role, unknown, index, finish_reason, logprobs, filtered, ...more }, words) => ({
      choices: [{ index, delta: { role, ...write(words), unknown }, logprobs, finish_reason, filtered }],
      ...more,
    }),
  );
}

const words = fc.oneof(
  fc.constantFrom("a", " b", '{"a"', ":1}", '{"a":1}', "", "\n", '"', PROBE, PAD_PROBE),
  fc.string(),
);
const END = { choices: [0, 1].map((index) => ({ index, delta: {}, finish_reason: "stop" })) };

/** A few shapes, each repeated with other text, and an end. */
function streamsOf(deltas: fc.Arbitrary<Shape>): fc.Arbitrary<readonly string[]> {
  const shapes = fc.array(chunksOf(deltas), { minLength: 1, maxLength: 5 });
  const said = fc.array(fc.tuple(fc.nat(4), words), { maxLength: 16 });
  return fc.tuple(shapes, said).map(([known, pieces]) => {
    const chunks = pieces.map(([at, text]) => known[at % known.length]?.(text));
    return [...chunks, END].map((chunk) => JSON.stringify(chunk));
  });
}

/** Streams of calls only, too: they are the most that a decoder has to remember. */
const streams = fc.oneof(streamsOf(anything), streamsOf(call));

describe.each(READERS)("a stream read %s", (_, createAnswer) => {
  test("gives the same events with learned chunk shapes as with every chunk parsed", () => {
    fc.assert(
      fc.property(streams, (stream) => {
        expect(learning(stream, createAnswer)).toEqual(parsing(stream, createAnswer));
      }),
      { numRuns: roundsOfRun(2_000) },
    );
  });

  test.each([
    ["first", []],
    ["after equal text", [delta({ content: '{"a"' })]],
  ])("keeps arguments that come before the call's name: %s", (_, before) => {
    const stream = [
      ...before,
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: ":1}" } }] }),
      delta({}, { finish_reason: "tool_calls" }),
    ].map((chunk) => JSON.stringify(chunk));
    expect(learning(stream, createAnswer)).toEqual(parsing(stream, createAnswer));
    expect(JSON.stringify(learning(stream, createAnswer))).not.toContain(PROBE);
  });
});
