import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { delta, STOP, wireChunks, wireDeltas } from "../testing.ts";

const call = (fields: object, more: Record<string, unknown> = {}) => delta({ tool_calls: [fields] }, more);
const seal = (id: string, signature?: string, reasoning?: readonly object[]) =>
  signature === undefined && reasoning === undefined ? id : `${id}+${signature}+${JSON.stringify(reasoning)}`;

describe("a passed-through stream", () => {
  test("is unchanged if nothing needs repair", () => {
    const chunks = [
      delta({ role: "assistant", content: "", refusal: null }, { logprobs: null, finish_reason: null }),
      delta({ content: "Hi" }, { logprobs: null, finish_reason: null }),
      delta({}, { logprobs: null, finish_reason: "stop" }),
    ];
    expect(wireChunks(chunks).chunks).toEqual(chunks);
  });

  test("has the role once, in its first delta", () => {
    for (const role of [undefined, "assistant", ""]) {
      const deltas = wireDeltas([delta({ role, content: "a" }), delta({ role, content: "b" }), STOP]);
      expect(deltas).toEqual([{ role: "assistant", content: "a" }, { content: "b" }, {}]);
    }
  });

  test("has finish_reason null until the end, and then a chunk with only the reason", () => {
    const { chunks, wire } = wireChunks([delta({ content: "a" }), delta({}, { finish_reason: "eos" })]);
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: "assistant", content: "a" }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }],
    ]);
    expect(wire.map(({ isClosing }) => isClosing === true)).toEqual([false, true]);
  });

  test("loses empty chunks and fields that we set ourselves", () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const head = { id: "x", object: "chat.completion.chunk", created: 5, model: "m" };
    const { chunks, finish } = wireChunks([
      { ...head, choices: [] },
      { ...head, ...delta({ content: "a" }), usage: { prompt_tokens: 3, completion_tokens: 1 } },
      { ...head, ...delta({ content: "" }) },
      { ...head, ...delta({ tool_calls: null }, { content_filter_results: {} }) },
      { ...head, ...STOP },
      {
        ...head,
        ...delta({ role: "assistant", content: "" }, { finish_reason: "stop", native: "x" }),
        usage,
      },
      { ...head, choices: [], x_groq: { usage } },
    ]);
    expect(chunks.map((chunk) => Object.keys(chunk))).toEqual([["choices"], ["choices"]]);
    expect(finish.usage).toEqual({ inputTokens: 3, outputTokens: 2 });
  });

  test("has fields from before any choice in its first chunk, and nothing of a choice after its end", () => {
    const filtered = [{ prompt_index: 0 }];
    const { chunks } = wireChunks([
      { id: "", model: "", choices: [], prompt_filter_results: filtered },
      { choices: [], system_fingerprint: "early" },
      { ...delta({ content: "a" }), system_fingerprint: "fp" },
      delta({ content: "b" }),
      STOP,
      delta({}, { finish_reason: null, content_filter_offsets: { check_offset: 4 } }),
    ]);
    expect(chunks.map(({ choices: _, ...extras }) => extras)).toEqual([
      { prompt_filter_results: filtered, system_fingerprint: "fp" },
      {},
      {},
    ]);
  });

  test("keeps unknown fields of chunk, choice and delta", () => {
    const chunk = {
      ...delta(
        { content: "a", annotations: [{ type: "url_citation" }] },
        { content_filter_results: { x: 1 } },
      ),
      system_fingerprint: "fp",
      citations: ["https://example.com"],
    };
    expect(wireChunks([chunk, STOP]).chunks[0]).toEqual({
      choices: [
        {
          index: 0,
          delta: { role: "assistant", content: "a", annotations: [{ type: "url_citation" }] },
          logprobs: null,
          finish_reason: null,
          content_filter_results: { x: 1 },
        },
      ],
      system_fingerprint: "fp",
      citations: ["https://example.com"],
    });
  });

  test("loses what another gateway says about its charges", () => {
    const purse = { credits_charged: 9, balance: { anytime: 5 }, efficiency: {}, credits_estimate: 9 };
    const theirs = { ...purse, checkout_url: "https://pay.example", request_id: "r" };
    for (const chunk of wireChunks([
      { ...delta({ content: "a" }), ...theirs },
      { ...STOP, ...theirs },
    ]).chunks) {
      expect(Object.keys(chunk)).toEqual(["choices"]);
    }
  });

  test.each<[string, object]>([
    ["reasoning_content", { reasoning_content: "hm" }],
    ["reasoning", { reasoning: "hm" }],
    ["details", { reasoning_details: [{ type: "reasoning.text", text: "hm" }] }],
    ["parts", { content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }],
  ])("has reasoning as reasoning_content, from: %s", (_, fields) => {
    const [first] = wireDeltas([delta({ ...fields }), STOP]);
    expect(first).toMatchObject({ role: "assistant", reasoning_content: "hm" });
    expect(typeof first?.["content"]).not.toBe("object");
  });

  test("has content parts joined", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "output_text", text: "a" },
      { text: "b" },
    ];
    expect(wireDeltas([delta({ content: parts }), STOP])[0]).toEqual({
      role: "assistant",
      content: "ab",
      reasoning_content: "hm",
    });
  });

  test("keeps log probabilities with their text", () => {
    const logprobs = { content: [{ token: "a", logprob: -0.1 }] };
    expect(wireChunks([delta({ content: "a" }, { logprobs }), STOP]).chunks[0]).toMatchObject({
      choices: [{ logprobs }],
    });
  });

  test("keeps several choices apart, each with its own role and finish reason", () => {
    const of = (index: number, content: string, finish_reason: string | null = null) => ({
      choices: [{ index, delta: { content }, finish_reason }],
    });
    const both = { choices: [...of(0, "c").choices, ...of(1, "d").choices] };
    const { chunks, finish } = wireChunks(
      [of(1, "b"), both, of(7, "x"), of(0, "", "stop"), of(1, "", "length")],
      {
        n: 2,
      },
    );
    const told = chunks.map(({ choices }) => (choices as { index: number; delta: { role?: string } }[])[0]);
    expect(told.map((choice) => [choice?.index, choice?.delta.role])).toEqual([
      [1, "assistant"],
      [0, "assistant"],
      [1, undefined],
      [0, undefined],
      [1, undefined],
    ]);
    expect(finish.reasons).toEqual(["stop", "length"]);
  });

  test("reports what the model wrote", () => {
    const { wire } = wireChunks([
      delta({ reasoning: "hm", content: "a" }),
      delta({ refusal: "no" }),
      call({ index: 0, id: "c", function: { name: "f", arguments: '{"x"' } }),
      STOP,
    ]);
    expect(wire.map(({ written }) => written).join("|")).toBe('hma|no|f|{"x"|');
  });

  test("that breaks off or contains an error fails", () => {
    expect(() => wireChunks([delta({ content: "a" }), "[DONE]"])).toThrow("broke off");
    expect(() => wireChunks([{ error: { message: "no", code: 429 } }])).toThrow("rate_limited");
  });

  test("ends once although the server repeats the finish reason", () => {
    const { wire } = wireChunks([delta({ content: "a" }), STOP, STOP]);
    expect(wire.filter(({ isClosing }) => isClosing)).toHaveLength(1);
  });
});

describe("tool calls", () => {
  const opened = (index: number, id: string, name: string) => ({
    tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
  });
  const wrote = (index: number, text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] });

  test("begin with id, type and name, and continue with index and arguments only", () => {
    const deltas = wireDeltas([
      call({ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }),
      call({ index: 0, id: "", type: "function", function: { name: "", arguments: '{"x":' } }),
      call({ index: 0, function: { name: null, arguments: "1}" } }),
      STOP,
    ]);
    expect(deltas).toEqual([
      { role: "assistant" },
      opened(0, "a", "f"),
      wrote(0, '{"x":'),
      wrote(0, "1}"),
      {},
    ]);
  });

  test("that come complete in one chunk are sent as fragments, numbered from 0", () => {
    const fragments = ["a", "b"].map((id, at) => ({
      index: at + 1,
      id,
      function: { name: id, arguments: "{}" },
    }));
    const { chunks } = wireChunks([
      delta({ content: null, tool_calls: fragments }, { finish_reason: "stop" }),
    ]);
    const told = chunks.map(({ choices }) => (choices as object[])[0]) as {
      delta: object;
      finish_reason: null;
    }[];
    expect(told.map((choice) => choice.delta)).toEqual([
      { role: "assistant", content: null },
      opened(0, "a", "a"),
      wrote(0, "{}"),
      opened(1, "b", "b"),
      wrote(1, "{}"),
      {},
    ]);
    expect(told.map((choice) => choice.finish_reason).filter(Boolean)).toEqual(["tool_calls" as never]);
  });

  test("without arguments get an empty object before the end", () => {
    const deltas = wireDeltas([call({ index: 0, id: "a", function: { name: "f" } }), STOP]);
    expect(deltas.slice(2)).toEqual([wrote(0, "{}"), {}]);
  });

  test("of a named tool end with stop, and so does finish_reason tool_calls without a call", () => {
    const named = wireChunks([call({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }), STOP], {
      namedTool: true,
    });
    expect(named.finish.reason).toBe("stop");
    expect(wireChunks([delta({}, { finish_reason: "tool_calls" })]).finish.reason).toBe("stop");
  });

  test("of custom tools stay custom", () => {
    const deltas = wireDeltas([
      call({ index: 0, id: "a", type: "custom", custom: { name: "patch", input: "" } }),
      call({ index: 0, custom: { input: "*** Begin" } }),
      delta({}, { finish_reason: "tool_calls" }),
    ]);
    expect(deltas.slice(1)).toEqual([
      { tool_calls: [{ index: 0, id: "a", type: "custom", custom: { name: "patch", input: "" } }] },
      { tool_calls: [{ index: 0, custom: { input: "*** Begin" } }] },
      {},
    ]);
  });

  test("in legacy form stay so if the request used legacy functions, else they become tool_calls", () => {
    const chunks = [
      delta({ function_call: { name: "f", arguments: "" } }),
      delta({ function_call: { arguments: "{}" } }),
      delta({}, { finish_reason: "function_call" }),
    ];
    const first = wireChunks(chunks, { form: { isFirstForm: true } });
    expect(first.chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "function_call" }] });
    expect(first.chunks[0]).toMatchObject({
      choices: [{ delta: { function_call: { name: "f", arguments: "" } } }],
    });
    expect(first.finish.reason).toBe("tool_calls");
    expect(first.wire.map(({ written }) => written)).toEqual(["f", "{}", ""]);
    expect(wireDeltas(chunks)[2]).toEqual(wrote(0, "{}"));
  });

  test("carry their signature, and the signed reasoning before them, in their id", () => {
    const detail = { type: "reasoning.text", text: "hm", signature: "s0" };
    const { text: _text, ...proof } = detail;
    const deltas = wireDeltas(
      [
        delta({ reasoning: "hm", reasoning_details: [detail] }),
        call({
          index: 0,
          id: "a",
          function: { name: "f", arguments: "{}" },
          extra_content: { google: { thought_signature: "s1" } },
        }),
        call({ index: 1, id: "b", function: { name: "g", arguments: "{}" } }),
        STOP,
      ],
      { form: { sealCallId: seal } },
    );
    const ids = deltas.flatMap(
      ({ tool_calls: calls }) => (calls as { id?: string }[] | undefined)?.[0]?.id ?? [],
    );
    const thoughts = [{ text: "hm", signature: `acme/${JSON.stringify(proof)}` }];
    expect(ids).toEqual([`a+acme/s1+${JSON.stringify(thoughts)}`, "b"]);
    expect(deltas[0]).toMatchObject({ reasoning_details: [detail] });
  });

  test("without a name make the answer unreadable", () => {
    expect(() => wireChunks([call({ index: 0, id: "a", function: { arguments: "{}" } }), STOP])).toThrow(
      "could not be read",
    );
  });
});

describe("the fast path", () => {
  type Piece = {
    readonly kind: "content" | "reasoning" | "reasoning_content" | "call";
    readonly words: string;
  };
  const words = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom('"', "\\", "\n", "content", "}", ","),
  );
  const pieces = fc.array(
    fc.record({ kind: fc.constantFrom("content", "reasoning", "reasoning_content", "call"), words }),
    { maxLength: 40 },
  ) as fc.Arbitrary<Piece[]>;

  function chunkOf({ kind, words: text }: Piece, at: number) {
    if (kind !== "call") return delta({ [kind]: text });
    const id = at % 5 === 0 ? { id: `c${at}` } : {};
    const name = at % 5 === 0 ? { name: "f" } : {};
    return call({ index: 0, ...id, function: { ...name, arguments: text } });
  }

  test("gives the same chunks as parsing each one", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const chunks = [
          call({ index: 0, id: "z", function: { name: "f", arguments: "" } }),
          ...given.map(chunkOf),
          STOP,
        ];
        const padded = chunks.map((chunk, at) =>
          at % 3 === 0 ? { ...chunk, obfuscation: `p${at}` } : chunk,
        );
        expect(wireChunks(padded).chunks).toEqual(
          wireChunks(padded.map((chunk, at) => `${" ".repeat(at)}${JSON.stringify(chunk)}`)).chunks,
        );
        const short = wireChunks(chunks);
        // Each chunk has a different number of blanks, so that none looks like another and all are parsed.
        const long = wireChunks(chunks.map((chunk, at) => `${" ".repeat(at)}${JSON.stringify(chunk)}`));
        expect(short.chunks).toEqual(long.chunks);
        expect(short.wire.map(({ written }) => written)).toEqual(long.wire.map(({ written }) => written));
      }),
    );
  });
});
