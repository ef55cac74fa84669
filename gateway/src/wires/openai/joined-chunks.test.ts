import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { present } from "../../kit/index.ts";
import { wholeOf, wireChunks } from "../../providers/openai-wire/testing.ts";
import { JoinedChunks } from "./joined-chunks.ts";

const choice = (delta: object, more: object = {}) => ({ index: 0, delta, finish_reason: null, ...more });

const written = (members: string) => ({ members, written: "" });

function joined(
  chunks: readonly (object | string)[],
  form: { isFirstForm?: boolean; isJoined?: boolean } = {},
) {
  const joins = new JoinedChunks();
  const { wire } = wireChunks(chunks, { form: { isJoined: true, ...form }, n: 2 });
  for (const chunk of wire) joins.add(chunk);
  return joins.whole("stop") as { choices: { message: Record<string, unknown> }[] };
}

const END = { choices: [choice({}, { finish_reason: "stop" })] };

test("chunks join to the same reply as in one piece, however they were cut", () => {
  const message = {
    role: "assistant",
    content: "Grüezi mitenand",
    refusal: "No",
    reasoning_content: "Hm, well",
    thinking: "Hm, well",
    annotations: [{ type: "a" }, { type: "b" }],
    tool_calls: [
      { id: "c", type: "function", function: { name: "f", arguments: '{"x":[1,2,3]}' } },
      { id: "d", type: "custom", custom: { name: "g", input: "any text" } },
    ],
  };
  const whole = wholeOf({ choices: [{ index: 0, message, finish_reason: "stop" }], citations: ["u"] });
  const cut = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), (size) => {
      const [first, second] = message.tool_calls;
      const deltas = [
        { role: "assistant", content: "" },
        ...cut(message.reasoning_content, size).map((text) => ({ reasoning_content: text, thinking: text })),
        ...cut(message.content, size).map((text) => ({ content: text })),
        ...cut(message.refusal, size).map((text) => ({ refusal: text })),
        ...message.annotations.map((each) => ({ annotations: [each] })),
        { tool_calls: [{ index: 0, ...first, function: { name: "f", arguments: "" } }] },
        ...cut('{"x":[1,2,3]}', size).map((text) => ({
          tool_calls: [{ index: 0, function: { arguments: text } }],
        })),
        { tool_calls: [{ index: 1, ...second, custom: { name: "g", input: "" } }] },
        ...cut("any text", size).map((text) => ({ tool_calls: [{ index: 1, custom: { input: text } }] })),
      ];
      expect(
        joined([...deltas.map((delta) => ({ choices: [choice(delta)], citations: ["u"] })), END]),
      ).toEqual(whole as never);
    }),
  );
});

test("top-level fields of chunks without a choice are kept with their last value", () => {
  const said = [
    END,
    { choices: [], citations: ["u"] },
    { choices: [], citations: ["u", "v"], moderation: {} },
  ];
  expect(joined(said)).toMatchObject({ choices: [{ finish_reason: "stop" }], citations: ["u", "v"] });
});

test("a role alone is no event of a joined answer; fields beside it come with the first text", () => {
  const role = { choices: [choice({ role: "assistant", content: "" })], prompt_filter_results: [1] };
  const chunks = [role, { choices: [choice({ content: "a" })] }, END];
  const { wire } = wireChunks(chunks, { form: { isJoined: true } });
  expect(wire.map(({ written }) => written)).toEqual(["a", ""]);
  expect(joined(chunks)).toMatchObject({
    choices: [{ message: { role: "assistant", content: "a" } }],
    prompt_filter_results: [1],
  });
});

test("several choices stay apart, and those without a finish reason get the given one", () => {
  const joins = new JoinedChunks();
  expect(joins.whole("length")).toBeNull();
  joins.add(written('"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"stop"}]'));
  joins.add(written('"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]'));
  expect(joins.whole("length")).toMatchObject({
    choices: [
      { index: 0, message: { content: "a" }, finish_reason: "length" },
      { index: 1, message: { content: "b" }, finish_reason: "stop" },
    ],
  });
});

test("fields that every chunk repeats are kept once, with their last value", () => {
  const chunk = (delta: object, found: string, filtered: boolean) => ({
    choices: [choice({ channel: "final", ...delta }, { content_filter_results: { filtered } })],
    search_results: [found],
    provider: "p",
  });
  expect(
    joined([chunk({ content: "a" }, "x", false), chunk({ content: "b" }, "y", true), END]),
  ).toMatchObject({
    choices: [{ message: { content: "ab", channel: "final" }, content_filter_results: { filtered: true } }],
    search_results: ["y"],
    provider: "p",
  });
});

test("annotations that every chunk repeats are kept once per choice", () => {
  const say = (index: number, ...cited: string[]) => ({
    choices: [{ ...choice({ content: "a", annotations: cited.map((url) => ({ url })) }), index }],
  });
  const ends = [0, 1].map((index) => ({ ...choice({}, { finish_reason: "stop" }), index }));
  const { choices } = joined([say(0, "x"), say(0, "x", "y"), say(1, "x"), say(0, "y"), { choices: ends }]);
  expect(choices.map(({ message }) => message["annotations"])).toEqual([
    [{ url: "x" }, { url: "y" }],
    [{ url: "x" }],
  ] as never);
});

test("a legacy function_call and audio are joined field by field", () => {
  const call = [{ name: "f", arguments: "" }, { arguments: '{"x"' }, { name: "", arguments: ":1}" }];
  const calls = call.map((each) => ({ choices: [choice({ function_call: each })] }));
  expect(joined([...calls, END], { isFirstForm: true }).choices[0]?.message["function_call"]).toEqual({
    name: "f",
    arguments: '{"x":1}',
  });
  const sound = [{ id: "a", data: "AA" }, { data: "BB", transcript: "hi" }, { transcript: " you" }];
  const sounds = sound.map((audio) => ({ choices: [choice({ audio })] }));
  const heard = { id: "a", data: "AABB", transcript: "hi you" };
  expect(joined([...sounds, END]).choices[0]?.message["audio"]).toEqual(heard);
});

const ROLE = { role: "assistant", content: "" };
const CALL = { index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } };
test.each<[string, unknown, readonly object[], boolean?]>([
  ["null beside calls", null, [ROLE, { tool_calls: [CALL] }]],
  ["null beside a legacy function_call", null, [ROLE, { function_call: CALL.function }], true],
  ["null beside a refusal", null, [{ ...ROLE, refusal: "" }, { refusal: "no" }]],
  ["empty if there was no delta", "", []],
  ["empty if there was only a role", "", [ROLE]],
  ["empty if it was null", "", [{ role: "assistant", content: null }]],
  ["empty after reasoning", "", [{ content: null, reasoning_content: "hm" }]],
])(
  "empty content of joined chunks is what other replies have: %s",
  (_, content, deltas, isFirstForm = false) => {
    const chunks = [...deltas.map((delta) => ({ choices: [choice(delta)] })), END];
    // Also for a stream that is kept for a repeat, whose reader received more.
    for (const isJoined of [true, false]) {
      const { message } = present(joined(chunks, { isFirstForm, isJoined }).choices[0], "an answer");
      expect(message["content"]).toBe(content);
    }
  },
);

test("log probabilities of all chunks are joined", () => {
  const part = (logprobs: object) => ({ choices: [choice({ content: "a" }, { logprobs })] });
  const chunks = [part({ content: [1], refusal: null }), part({ content: [2], refusal: [3] }), END];
  expect(joined(chunks).choices[0]).toMatchObject({ logprobs: { content: [1, 2], refusal: [3] } });
});

test("a field called __proto__ pollutes no prototype", () => {
  const joins = new JoinedChunks();
  const delta = '{"__proto__":{"polluted":1},"content":"a"}';
  for (let at = 0; at < 2; at++) {
    joins.add(
      written(
        `"choices":[{"index":0,"delta":${delta},"__proto__":{"polluted":1}}],"__proto__":{"polluted":1}`,
      ),
    );
  }
  expect(joins.whole("stop")).toMatchObject({ choices: [{ message: { content: "aa" } }] });
  expect("polluted" in {}).toBe(false);
});

describe("chunks that differ only in their text", () => {
  const chunkOf = (delta: object, fingerprint: string) => ({
    choices: [choice(delta)],
    system_fingerprint: fingerprint,
  });
  const BEGUN = chunkOf({ tool_calls: [{ ...CALL, function: { name: "f", arguments: "" } }] }, "a");
  const argument = (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] });

  test.each([
    ["text", (words: string) => ({ content: words })],
    ["reasoning under two names", (words: string) => ({ reasoning: words })],
    ["arguments", argument],
  ])("are joined with only the first two parsed: %s", (_, deltaOf) => {
    const chunks = [BEGUN, ...["a", '"\\', "\n", "d"].map((words) => chunkOf(deltaOf(words), "a")), END];
    const { wire } = wireChunks(chunks, { form: { isJoined: true } });
    const joins = new JoinedChunks();
    const unread = wire.filter(({ place }, at) => place && place === wire[at - 1]?.place);
    expect(unread).toHaveLength(2);
    for (const chunk of wire) joins.add(unread.includes(chunk) ? { ...chunk, members: "not read" } : chunk);
    expect(joins.whole("stop")).toEqual(joined(chunks.map(unlike)));
  });

  test("join to the same reply as if each were parsed", () => {
    const words = fc.string({ unit: "binary", maxLength: 4 });
    const say = fc.oneof(
      fc
        .tuple(fc.constantFrom("content", "reasoning", "reasoning_content", "refusal"), words)
        .map(([name, text]) => ({ [name]: text })),
      words.map(argument),
      fc.tuple(words, words).map(([content, note]) => ({ content, note, list: [note] })),
    );
    const pieces = fc.array(fc.tuple(say, fc.constantFrom("a", "b"), fc.nat(4)), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, (given) => {
        const repeated = given.flatMap(([delta, fingerprint, times]) =>
          Array.from({ length: times }, () => chunkOf(delta, fingerprint)),
        );
        const chunks = [BEGUN, ...repeated, END];
        expect(joined(chunks)).toEqual(joined(chunks.map(unlike)));
      }),
    );
  });
});

/** Each chunk has a different number of blanks, so that none looks like another and every one is parsed. */
function unlike(chunk: object, at: number): string {
  return `${" ".repeat(at)}${JSON.stringify(chunk)}`;
}
