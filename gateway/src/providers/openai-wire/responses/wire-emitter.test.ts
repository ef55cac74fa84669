import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import { decodeReply } from "../decode/decode-reply.ts";
import { expecting, streamed } from "../testing.ts";
import { responseReading } from "./response-reading.ts";

type Json = Record<string, unknown>;
const message = {
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
};
const response = (more: Json = {}): Json => ({
  object: "response",
  status: "completed",
  output: [message],
  ...more,
});
const event = (type: string, fields: Json = {}): Json => ({ type, ...fields });
const completed = (more: Json = {}) => event("response.completed", { response: response(more) });
const read = (...events: unknown[]) => streamed(responseReading(expecting()), events);
const whole = (reply: unknown) => decodeReply(JSON.stringify(reply), responseReading(expecting()));

describe("a streamed response", () => {
  const call = (id: string, given: string) => ({
    type: "function_call",
    id,
    call_id: `call_${id}`,
    name: "f",
    arguments: given,
    status: "completed",
  });
  const added = (at: number, item: Json) => event("response.output_item.added", { output_index: at, item });
  const done = (at: number, item: Json) => event("response.output_item.done", { output_index: at, item });
  const given = (at: number, id: string, delta: string) =>
    event("response.function_call_arguments.delta", { item_id: id, output_index: at, delta });

  test("with one index for all items gets one for each", () => {
    const begun = ["a", "b"].map((id) => added(0, call(id, "")));
    const told = ["a", "b", "a"].map((id) => given(0, id, `${id} `));
    const ended = ["b", "a"].map((id) => done(0, call(id, "{}")));
    const { chunks, finish } = read(...begun, ...told, ...ended, completed({ output: [] }));
    const placeOf = (each: Json) => [
      each["output_index"],
      each["item_id"] ?? (each["item"] as Json | undefined)?.["id"],
    ];
    const [a, b] = [
      [0, "a"],
      [1, "b"],
    ];
    expect((chunks as Json[]).map(placeOf)).toEqual([a, b, a, b, a, b, a]);
    expect(finish.whole?.["output"]).toEqual([call("a", "{}"), call("b", "{}")]);
  });

  test("takes arguments and text from their done event if there were no deltas", () => {
    const whole = '{"path":"/tmp/x"}';
    const ended = event("response.function_call_arguments.done", {
      item_id: "a",
      output_index: 0,
      arguments: whole,
    });
    const { finish } = read(added(0, call("a", "")), ended, completed({ output: [] }));
    expect(finish.whole?.["output"]).toEqual([call("a", whole)]);
    // The item's initial content is not sent again, because clients append deltas to it.
    const begun = read(added(0, call("a", whole)), ended, completed({ output: [] }));
    expect(begun.finish.whole?.["output"]).toEqual([call("a", whole)]);
    expect(begun.wire.map((each) => each.event)).not.toContain("response.function_call_arguments.delta");
    const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const said = read(
      added(0, { ...message, content: [] }),
      event("response.content_part.added", { ...place, part: { type: "output_text", text: "" } }),
      event("response.output_text.done", { ...place, text: "hello world" }),
      completed({ output: [] }),
    );
    expect(said.finish.whole?.["output"]).toMatchObject([{ content: [{ text: "hello world" }] }]);
  });

  test("that was cut off leaves its last call without arguments, and gives earlier ones {}", () => {
    const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const output = [call("a", ""), call("b", "")].map(({ status: _, ...item }) => item);
    const left = [call("a", "{}"), { ...call("b", ""), status: "incomplete" }];
    const last = event("response.incomplete", { response: response({ ...cut, output }) });
    expect(read(last).finish.whole?.["output"]).toEqual(left);
    expect(whole(response({ ...cut, output })).at(-1)).toMatchObject({ whole: { output: left } });
  });

  test("has two items if a second begins with the same index, and one if an item ends twice", () => {
    const { chunks, finish } = read(
      ...[added(0, call("a", "")), done(0, call("a", "{}")), done(0, call("a", "{}"))],
      ...[added(0, { ...call("b", ""), id: undefined }), done(0, { ...call("b", "{}"), id: undefined })],
      completed({ output: [] }),
    );
    const items = (chunks as Json[]).filter((each) => "item" in each);
    expect(items.map((each) => each["output_index"])).toEqual([0, 0, 1, 1]);
    expect(finish.whole?.["output"]).toHaveLength(2);
  });

  test("begins a message for text of an unknown item, and sends other unknown items once complete", () => {
    const place = { item_id: "m", output_index: 3, content_index: 0 };
    const { wire, chunks } = read(
      event("response.output_text.delta", { ...place, delta: "Hi" }),
      given(4, "a", "{"),
      done(4, call("a", "{}")),
      completed(),
    );
    expect(wire.map((each) => [each.event?.replace("response.", ""), each.written])).toEqual([
      ["output_item.added", ""],
      ["content_part.added", ""],
      ["output_text.delta", "Hi"],
      ["output_item.done", "f{}"],
      ["content_part.done", ""],
    ]);
    expect((chunks as Json[]).map((each) => each["output_index"])).toEqual([0, 0, 0, 1, 0]);
  });

  test("counts text when it is sent, with a delta or with the whole item, and only once", () => {
    const written = (...events: Json[]) =>
      read(...events, completed())
        .wire.map((each) => each.written)
        .join("");
    const code = { type: "code_interpreter_call", id: "ci", code: "print(1)", status: "completed" };
    const piece = event("response.code_interpreter_call_code.delta", {
      item_id: "ci",
      output_index: 0,
      delta: "print(1)",
    });
    expect(written(piece)).toBe("");
    expect(written(piece, done(0, code))).toBe("print(1)");
    expect(written(added(0, { ...code, code: "" }), piece, done(0, code))).toBe("print(1)");
    expect(written(done(0, message))).toBe("Hi");
    // What was already sent of it is not counted again.
    expect(
      written(added(0, call("a", "")), given(0, "a", '{"x"'), done(0, call("a", '{"x":1}'))),
    ).toHaveLength('f{"x":1}'.length);
    const thought = { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "So." }] };
    expect(written(done(0, { ...thought, encrypted_content: "xxxx" }), done(1, message))).toBe("So.Hi");
  });

  test.each<[string, Json, Json[]]>([
    ["has neither id nor index", {}, []],
    ["has another id and index", { item_id: "b", output_index: 7 }, [added(0, { ...message, content: [] })]],
  ])("counts text once whose delta %s", (_, place, before) => {
    const piece = event("response.output_text.delta", { ...place, content_index: 0, delta: "Hi" });
    const { wire } = read(...before, piece, done(0, message), completed());
    expect(wire.map((each) => each.written).join("")).toBe("Hi");
    // Another item that is done as well is counted too.
    const other = { ...message, id: "msg_2", content: [{ type: "output_text", text: "Hello" }] };
    const both = read(...before, piece, done(0, message), done(1, other), completed()).wire;
    expect(both.map((each) => each.written).join("")).toBe("HiHello");
  });

  test("has {} for a call without arguments, unless it was cut off", () => {
    const cut = { ...call("b", ""), status: "incomplete" };
    const { chunks, finish } = read(
      added(0, call("a", "")),
      event("response.function_call_arguments.done", { item_id: "a", output_index: 0, arguments: "" }),
      done(0, call("a", "")),
      completed({ output: [call("a", ""), cut] }),
    );
    const place = { item_id: "a", output_index: 0 };
    expect(chunks).toEqual([
      { output_index: 0, item: call("a", "") },
      { ...place, delta: "{}" },
      { ...place, name: "f", arguments: "{}" },
      { output_index: 0, item: call("a", "{}") },
    ]);
    expect(finish.whole?.["output"]).toEqual([call("a", "{}"), cut]);
    expect(whole(response({ output: [call("a", " "), cut] }))).toMatchObject([
      { whole: { output: [call("a", "{}"), cut] } },
    ]);
  });

  const namesIn = (chunks: readonly unknown[]) =>
    (chunks as Json[]).map((each) => each["item_id"] ?? (each["item"] as Json)["id"]);

  test("keeps the first id of an item that has a different one in each event", () => {
    const { chunks, finish } = read(
      added(0, call("a", "")),
      given(0, "b", "{"),
      done(0, { ...call("a", "{}"), id: "c" }),
      completed({ output: [{ ...call("a", "{}"), id: "d" }, message] }),
    );
    expect(namesIn(chunks)).toEqual(["a", "a", "a"]);
    expect(finish.whole?.["output"]).toEqual([call("a", "{}"), message]);
  });

  test("gets ids for items that have none or the same", () => {
    const { id: _, ...nameless } = call("a", "{}");
    const output = [nameless, call("b", "{}"), { ...call("c", "{}"), id: "b" }];
    const { chunks, finish } = read(
      added(0, { ...nameless, arguments: "" }),
      given(0, "x", "{}"),
      done(0, nameless),
      completed({ output }),
    );
    const [name] = namesIn(chunks);
    expect(name).toMatch(/^fc_\w{32}$/);
    expect(namesIn(chunks)).toEqual([name, name, name]);
    const items = finish.whole?.["output"] as Json[];
    expect(items.slice(0, 2)).toEqual([{ ...nameless, id: name }, call("b", "{}")]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(3);
    const [end] = whole(response({ output }));
    expect(end).toMatchObject({
      whole: { output: [{ id: expect.stringMatching(/^fc_/) }, { id: "b" }, { call_id: "call_c" }] },
    });
  });

  test("without indexes gets them, and the missing start and end of its parts", () => {
    const named = (type: string, fields: Json) => event(`response.${type}`, { item_id: "rs_1", ...fields });
    const thought = { type: "reasoning", id: "rs_1", summary: [] };
    const { wire, chunks } = read(
      event("response.output_item.added", { item: thought }),
      named("reasoning_text.delta", { delta: "h" }),
      named("reasoning_text.delta", { delta: "m" }),
      event("response.output_item.done", {
        item: { ...thought, content: [{ type: "reasoning_text", text: "hm" }] },
      }),
      completed(),
    );
    expect(wire.map((each) => each.event?.replace("response.", ""))).toEqual([
      "output_item.added",
      "content_part.added",
      "reasoning_text.delta",
      "reasoning_text.delta",
      "content_part.done",
      "output_item.done",
    ]);
    const places = (chunks as Json[]).map((each) => [each["output_index"], each["content_index"]]);
    expect(places).toEqual([[0, undefined], ...Array(4).fill([0, 0]), [0, undefined]]);
  });

  test("has reasoning_part events renamed to content_part", () => {
    const thought = { type: "reasoning", id: "rs_1", summary: [], status: "in_progress" };
    const part = { type: "reasoning_text", text: "hm" };
    const of = (type: string, fields: Json) =>
      event(`response.${type}`, { item_id: "rs_1", output_index: 0, content_index: 0, ...fields });
    const { wire, chunks } = read(
      added(0, { ...thought, content: null, encrypted_content: null }),
      of("reasoning_part.added", { part: { ...part, text: "" } }),
      of("reasoning_text.delta", { delta: "hm" }),
      of("reasoning_text.done", { text: "hm" }),
      of("reasoning_part.done", { part }),
      done(0, { ...thought, content: [part], status: "completed" }),
      completed(),
    );
    expect(wire.map((each) => each.event?.replace("response.", ""))).toEqual([
      "output_item.added",
      "content_part.added",
      "reasoning_text.delta",
      "reasoning_text.done",
      "content_part.done",
      "output_item.done",
    ]);
    expect(JSON.stringify(chunks)).not.toContain("reasoning_part");
    expect((chunks as Json[])[4]).toEqual({ item_id: "rs_1", output_index: 0, content_index: 0, part });
  });

  test.each([
    ["content_part.added", { content_index: 0, part: { type: "reasoning_text", text: "" } }],
    ["reasoning_text.delta", { content_index: 0, delta: "h" }],
    ["reasoning_summary_part.added", { summary_index: 0, part: { type: "summary_text", text: "" } }],
    ["reasoning_summary_text.delta", { summary_index: 0, delta: "h" }],
  ])("begins a missing reasoning item for %s", (type, fields) => {
    const { chunks } = read(
      event(`response.${type}`, { item_id: "rs_1", output_index: 0, ...fields }),
      completed({ output: [{ type: "reasoning", id: "rs_1", summary: [] }] }),
    );
    expect(chunks[0]).toMatchObject({ item: { id: "rs_1", type: "reasoning" } });
  });

  test("has empty arguments for a call that was cut off before any", () => {
    const cut = { ...call("a", ""), status: "incomplete" };
    const end = { item_id: "a", output_index: 0, arguments: "" };
    const ofItem = [added(0, call("a", "")), event("response.function_call_arguments.done", end)];
    const last = event("response.incomplete", {
      response: response({ status: "incomplete", output: [cut] }),
    });
    for (const events of [
      [...ofItem, done(0, cut), last],
      [...ofItem, last],
    ]) {
      const { chunks, finish } = read(...events);
      expect((chunks as Json[])[1]).toEqual({ ...end, name: "f" });
      expect(finish.whole?.["output"]).toEqual([cut]);
    }
  });

  test("has an empty output filled from deltas if its items never end", () => {
    const place = { item_id: "m", output_index: 0, content_index: 0 };
    const { finish } = read(
      added(0, { type: "message", id: "m", status: "in_progress", role: "assistant", content: [] }),
      ...["H", "i"].map((delta) => event("response.output_text.delta", { ...place, delta })),
      added(1, { ...call("a", ""), status: "in_progress" }),
      given(1, "a", "{}"),
      completed({ output: [] }),
    );
    const content = [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }];
    expect(finish.whole?.["output"]).toEqual([
      { type: "message", id: "m", status: "completed", role: "assistant", content },
      { ...call("a", "{}"), status: "completed" },
    ]);
  });
});

test("8,000 unknown items and 8,000 others that end are counted in less than 2 seconds", () => {
  const many = Array.from({ length: 8_000 }, (_, at) => at);
  const item = { type: "reasoning", summary: [{ type: "summary_text", text: "words that nobody said" }] };
  const events = [
    ...many.map((at) =>
      event("response.output_text.delta", { item_id: `s${at}`, output_index: at, delta: "ab " }),
    ),
    ...many.map((at) =>
      event("response.output_item.done", { output_index: many.length + at, item: { ...item, id: `e${at}` } }),
    ),
    completed({ output: [] }),
  ];
  expect(fastestMs(() => read(...events), 3, 2_000)).toBeLessThan(2_000);
});
