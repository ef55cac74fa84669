import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../../../contract/index.ts";
import { neutralReading } from "../reading.ts";
import { decodeChunks, delta, expecting, STOP, wholeOf, wireChunks } from "../testing.ts";
import { createStreamDecoder } from "./decode-stream.ts";

const finish = (reason = "stop", usage: unknown = null) => ({ type: "finish", reason, usage });
const text = (words: string) => ({ type: "text", text: words });

function failureFrom(work: () => unknown): ProviderFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

describe("a streamed answer", () => {
  test("is decoded the same with and without the fields that some servers omit", () => {
    const full = delta(
      { role: "assistant", content: "Hi", refusal: null, tool_calls: null },
      { logprobs: null },
    );
    const bare = { choices: [{ delta: { content: "Hi" } }] };
    const expected = [text("Hi"), finish()];
    expect(decodeChunks([full, STOP])).toEqual(expected as never);
    expect(decodeChunks([bare, STOP])).toEqual(expected as never);
  });

  test("has a mark with the reasoning's field name before what follows it, only if marks are requested", () => {
    const call = { index: 0, id: "c", function: { name: "look", arguments: "{}" } };
    const chunks = [
      delta({ content: "", reasoning: "h" }),
      delta({ reasoning: "m" }),
      delta({ content: "so" }),
      delta({ reasoning_content: "well" }),
      delta({ tool_calls: [call] }),
      delta({ reasoning: "done" }),
      STOP,
    ];
    const mark = (name: string) => ({ type: "reasoning_signature", signature: `acme/${name}` });
    const events = decodeChunks(chunks, { marksReasoning: true });
    expect(events.filter(({ type }) => type !== "tool_start" && type !== "tool_arguments")).toMatchObject([
      { type: "reasoning", text: "h" },
      { type: "reasoning", text: "m" },
      mark("reasoning"),
      { type: "text", text: "so" },
      { type: "reasoning", text: "well" },
      mark("reasoning_content"),
      { type: "reasoning", text: "done" },
      mark("reasoning"),
      { type: "finish" },
    ] as never);
    expect(events.findIndex(({ type }) => type === "tool_start")).toBe(6);
    expect(decodeChunks(chunks).map(({ type }) => type)).not.toContain("reasoning_signature");
  });

  test("keeps the order of reasoning, text and refusal", () => {
    const events = decodeChunks([
      delta({ reasoning_content: "hm" }),
      delta({ content: "no", refusal: "I will not" }),
      STOP,
    ]);
    expect(events.map(({ type }) => type)).toEqual(["reasoning", "text", "refusal", "finish"]);
  });

  test.each([
    ["reasoning_content", { reasoning_content: "hm" }],
    ["reasoning", { reasoning: "hm" }],
    ["both, reported once", { reasoning_content: "hm", reasoning: "hm" }],
    ["details alone", { reasoning_details: [{ type: "reasoning.text", text: "hm" }] }],
    [
      "details beside the text",
      { reasoning: "hm", reasoning_details: [{ type: "reasoning.text", text: "hm" }] },
    ],
    [
      "a content part with a list",
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] },
    ],
    ["a content part with text", { content: [{ type: "thinking", thinking: "hm" }] }],
  ])("has reasoning read from %s", (_, fields) => {
    expect(decodeChunks([delta(fields), STOP])).toEqual([
      { type: "reasoning", text: "hm" },
      finish(),
    ] as never);
  });

  test("has content read from a list of parts; parts without text are skipped", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "reference", reference_ids: [1] },
      null,
      { type: "output_text", text: "b" },
      { text: "c" },
      { type: "reasoning_text", text: "hm" },
      { type: "thinking", text: "so" },
      { type: "text", text: 1 },
    ];
    expect(decodeChunks([delta({ content: parts }), STOP])).toEqual([
      ...["a", "b", "c"].map(text),
      { type: "reasoning", text: "hm" },
      { type: "reasoning", text: "so" },
      finish(),
    ] as never);
  });

  test("has signed reasoning prefixed with the provider's name", () => {
    const detail = { type: "reasoning.encrypted", data: "opaque", id: "r1", format: "f" };
    const [event] = decodeChunks([delta({ reasoning_details: [detail] }), STOP]);
    expect(event).toEqual({ type: "reasoning_signature", signature: `acme/${JSON.stringify(detail)}` });
  });

  test("has log probabilities after their text", () => {
    const content = [{ token: "Hi", logprob: -0.1 }];
    const events = decodeChunks([delta({ content: "Hi" }, { logprobs: { content } }), STOP]);
    expect(events.slice(0, 2)).toEqual([text("Hi"), { type: "logprobs", content }] as never);
  });

  test("has several choices kept apart, and those that were not requested dropped", () => {
    const of = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
    const ended = [0, 1].map((index) => ({
      choices: [{ index, delta: {}, finish_reason: index ? "length" : "stop" }],
    }));
    expect(decodeChunks([of(1, "b"), of(0, "a"), of(7, "c"), of(-1, "d"), ...ended], { n: 2 })).toEqual([
      { type: "text", text: "b", index: 1 },
      text("a") as never,
      { type: "finish", reason: "stop", reasons: ["stop", "length"], usage: null },
    ]);
  });

  test("may contain a whole message instead of deltas", () => {
    const chunk = { choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }] };
    expect(decodeChunks([chunk])).toEqual([text("Hi"), finish()] as never);
  });

  test("ignores the accumulated message that some servers send beside each delta", () => {
    const chunk = (content: string, whole: string) => delta({ content }, { message: { content: whole } });
    expect(decodeChunks([chunk("a", "a"), chunk("b", "ab"), STOP])).toEqual([
      text("a"),
      text("b"),
      finish(),
    ] as never);
  });
});

describe("the finish reason", () => {
  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["model_length", "length"],
    ["content_filter", "content_filter"],
    ["model_context_window_exceeded", "length"],
    ["sensitive", "content_filter"],
    ["RECITATION", "content_filter"],
    ["content_filter: PROHIBITED_CONTENT", "content_filter"],
    ["eos", "stop"],
    ["STOP", "stop"],
    ["a word of tomorrow", "stop"],
    ["tool_calls", "stop"],
    ["function_call", "stop"],
  ])("%j without calls is %j", (word, reason) => {
    expect(decodeChunks([delta({ content: "x" }, { finish_reason: word })]).at(-1)).toEqual(
      finish(reason) as never,
    );
  });

  const call = delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] });

  test("is tool_calls if there are calls, even if the server says stop", () => {
    expect(decodeChunks([call, STOP]).at(-1)).toEqual(finish("tool_calls") as never);
  });

  test("stays stop if the request named one tool", () => {
    expect(decodeChunks([call, STOP], { namedTool: true }).at(-1)).toEqual(finish("stop") as never);
  });

  test("stays length if the limit cut off a call", () => {
    expect(decodeChunks([call, delta({}, { finish_reason: "length" })]).at(-1)).toEqual(
      finish("length") as never,
    );
  });

  test.each<[string, unknown[]]>([
    ["nothing", []],
    ["[DONE] alone", ["[DONE]"]],
    ["text without a finish reason", [delta({ content: "Hi" })]],
    ["text and [DONE]", [delta({ content: "Hi" }), "[DONE]"]],
    ["an empty finish_reason", [delta({ content: "Hi" }, { finish_reason: "" })]],
    ["usage alone", [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }]],
  ])("is never made up: %s means that the answer broke off", (_, chunks) => {
    const failure = failureFrom(() => decodeChunks(chunks));
    expect(failure).toMatchObject({
      kind: "unavailable",
      publicMessage: "The model's provider broke off its answer.",
    });
  });

  test("is listed for the choices that came, if fewer came than were requested", () => {
    expect(decodeChunks([delta({ content: "a" }), STOP], { n: 2 }).at(-1)).toMatchObject({
      type: "finish",
      reasons: ["stop"],
    });
  });

  test("before [DONE] ends the answer: what follows [DONE] is ignored", () => {
    const after = [delta({ content: "late" }), "not JSON", { error: { message: "late" } }, "[DONE]"];
    expect(decodeChunks([delta({ content: "Hi" }), STOP, "[DONE]", ...after])).toEqual([
      text("Hi"),
      finish(),
    ] as never);
  });
});

describe("usage", () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const expected = finish("stop", { inputTokens: 9, outputTokens: 4 });

  test.each<[string, unknown[]]>([
    ["from a chunk of its own", [STOP, { choices: [], usage }]],
    ["from the last chunk", [{ ...STOP, usage }]],
    [
      "from two equal reports",
      [
        { ...STOP, usage },
        { choices: [], usage },
      ],
    ],
    [
      "from every chunk, growing",
      [
        { ...delta({}), usage: { prompt_tokens: 9, completion_tokens: 1 } },
        { ...STOP, usage },
      ],
    ],
    [
      "from the last report before a null",
      [
        { ...STOP, usage },
        { choices: [], usage: null },
      ],
    ],
    ["from Groq's own field", [{ ...STOP, x_groq: { usage } }]],
    ["from inside the choice", [delta({}, { finish_reason: "stop", usage })]],
  ])("is read %s", (_, chunks) => {
    expect(decodeChunks(chunks).at(-1)).toEqual(expected as never);
  });
});

describe("a failure inside a stream", () => {
  test.each([
    ["invalid_request_error", { message: "bad tool", type: "invalid_request_error" }, "rejected"],
    ["a code of 429", { message: "slow down", code: 429 }, "rate_limited"],
    ["a code of 502", { message: "upstream", code: 502 }, "unavailable"],
    ["a text", "overloaded", "unavailable"],
    [
      "an overflow",
      { message: "This model's maximum context length is 10 tokens", code: 400 },
      "context_overflow",
    ],
  ])("sent as %s fails the call, even after the finish reason", (_, error, kind) => {
    expect(failureFrom(() => decodeChunks([delta({ content: "Hi" }), STOP, { error }])).kind).toBe(
      kind as never,
    );
  });

  test("sent as an event named error, or as a bare error object, fails the call", () => {
    const decoder = createStreamDecoder(expecting());
    const data = JSON.stringify({ message: "slow down", code: 429 });
    expect(decoder.push([{ event: "error", data }])).toEqual([]);
    expect(failureFrom(() => decoder.end()).kind).toBe("rate_limited");
    const bare = { object: "error", message: "no such model", code: 404 };
    expect(failureFrom(() => decodeChunks([bare])).kind).toBe("unauthorized");
  });

  test("sent inside the choice, or as finish_reason error, fails the call", () => {
    const inside = { choices: [{ index: 0, error: { code: 502, message: "gone" }, finish_reason: "error" }] };
    expect(failureFrom(() => decodeChunks([inside])).kind).toBe("unavailable");
    expect(failureFrom(() => decodeChunks([delta({}, { finish_reason: "error" })])).kind).toBe("unavailable");
  });

  const FAILED = [
    "insufficient_system_resource",
    "network_error",
    "abort",
    "aborted",
    "ERROR",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
  ];
  test.each(FAILED)("is what a finish reason of %j means", (word) => {
    const ending = { index: 0, finish_reason: word };
    const pieces = [delta({ content: "x" }), { choices: [{ ...ending, delta: {} }] }];
    const whole = { choices: [{ ...ending, message: { content: "x" } }] };
    for (const read of [
      () => decodeChunks(pieces),
      () => wireChunks(pieces),
      () => neutralReading(expecting()).whole(whole),
      () => wholeOf(whole),
    ]) {
      const failure = failureFrom(read);
      expect(failure.kind).toBe("unavailable");
      expect(failure.publicMessage).toBe("The model's provider could not finish its answer.");
    }
  });

  test("never contains our API key", () => {
    const error = { message: "key canary-1234567 is wrong", code: 400 };
    const failure = failureFrom(() => decodeChunks([{ error }], { secrets: ["canary-1234567"] }));
    expect(JSON.stringify([failure.publicMessage, failure.detail])).not.toContain("canary");
  });

  test.each(["{", "null", "5", '"text"', "<html>"])("is data that is not a JSON object: %s", (data) => {
    expect(failureFrom(() => decodeChunks([data])).kind).toBe("unavailable");
  });

  test("is a chunk that is nested too deeply", () => {
    const nested = "[".repeat(1_000) + "]".repeat(1_000);
    const chunk = JSON.stringify(delta({ content: "Hi" })).replace("{", `{"more":${nested},`);
    expect(failureFrom(() => decodeChunks([chunk, STOP])).kind).toBe("unavailable");
  });

  test.each<[string, unknown]>([
    ["a delta that is text", { choices: [{ index: 0, delta: "x" }] }],
    ["a delta that is a list", { choices: [{ index: 0, delta: ["x"] }] }],
    ["content that is a number", delta({ content: 5 })],
    ["content that is an object", delta({ content: { a: 1 } })],
  ])("is unreadable content: %s", (_, chunk) => {
    expect(failureFrom(() => decodeChunks([delta({ content: "Hi" }), chunk, STOP])).kind).toBe("unavailable");
  });

  test.each([[[]], [""]])("is not an empty delta: %j", (nothing) => {
    const last = { choices: [{ index: 0, delta: nothing, finish_reason: "stop" }] };
    const events = decodeChunks([delta({ content: "Hi" }), last as never]);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });

  test.each<[string, unknown]>([
    ["choices", { choices: "no" }],
    ["a choice", { choices: [null, 5, "x", []] }],
    ["an index", { choices: [{ index: "0", delta: { content: "x" } }] }],
    [
      "fields of a delta",
      delta({ reasoning: {}, reasoning_details: [null, 5], refusal: [], tool_calls: {} }),
    ],
    ["usage", { choices: [], usage: "many" }],
  ])("is not a value of a wrong type: %s", (_, chunk) => {
    expect(decodeChunks([chunk, STOP]).at(-1)).toEqual(finish() as never);
  });
});
