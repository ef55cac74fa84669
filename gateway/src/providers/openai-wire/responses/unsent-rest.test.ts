import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, nat, property, tuple } from "fast-check";
import { expecting, streamed } from "../testing.ts";
import { responseReading } from "./response-reading.ts";

type Json = Record<string, unknown>;
const message = { type: "message", id: "msg_1", status: "completed", role: "assistant", content: [] };
const event = (type: string, fields: Json = {}): Json => ({ type, ...fields });
const added = (at: number, item: Json) => event("response.output_item.added", { output_index: at, item });
const done = (at: number, item: Json) => event("response.output_item.done", { output_index: at, item });
const completed = (output: Json[] = []) =>
  event("response.completed", { response: { object: "response", status: "completed", output } });
const read = (...events: unknown[]) => streamed(responseReading(expecting()), events);

describe("a streamed response that ends with more text than its deltas", () => {
  const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const begun = [
    added(0, message),
    event("response.content_part.added", { ...place, part: part("") }),
    event("response.output_text.delta", { ...place, delta: "Hel" }),
  ];
  const full = (text: string) => ({ ...message, content: [part(text)] });
  const deltas = (...events: Json[]) =>
    read(...begun, ...events).wire.flatMap(({ event: type, members, written }) =>
      type === "response.output_text.delta" ? [[JSON.parse(`{${members}}`).delta, written]] : [],
    );

  test.each<[string, Json[]]>([
    ["in the last event", [completed([full("Hello")])]],
    ["at the end of the item", [done(0, full("Hello")), completed()]],
    [
      "at the end of the part",
      [event("response.content_part.done", { ...place, part: part("Hello") }), completed()],
    ],
    [
      "at the end of the text",
      [event("response.output_text.done", { ...place, text: "Hello" }), completed()],
    ],
    [
      "in all of them",
      [
        event("response.output_text.done", { ...place, text: "Hello" }),
        event("response.content_part.done", { ...place, part: part("Hello") }),
        done(0, full("Hello")),
        completed([full("Hello")]),
      ],
    ],
  ])("gets the rest as one delta: %s", (_, events) => {
    expect(deltas(...events)).toEqual([
      ["Hel", "Hel"],
      ["lo", "lo"],
    ]);
  });

  test("gets it in its place, before the end of its part", () => {
    const { wire, chunks } = read(...begun, completed([full("Hello")]));
    expect(wire.at(-2)?.event).toBe("response.output_text.delta");
    expect(chunks.at(-2)).toEqual({ ...place, delta: "lo", logprobs: [] });
    expect(wire.at(-1)?.event).toBe("response.content_part.done");
  });

  test.each(["Hel", "Howdy you", "He", ""])("gets no more deltas if the final text is %j", (text) => {
    expect(deltas(done(0, full(text)), completed([full(text)]))).toHaveLength(1);
  });

  test("gets the rest of reasoning and of refusals, too", () => {
    const thought = { type: "reasoning", id: "rs_1", summary: [], status: "in_progress" };
    const summary = [{ type: "summary_text", text: "So then" }];
    const refusal = { ...message, id: "msg_2", content: [{ type: "refusal", refusal: "No way" }] };
    const { wire } = read(
      added(0, thought),
      event("response.reasoning_summary_text.delta", {
        ...place,
        item_id: "rs_1",
        summary_index: 0,
        delta: "So",
      }),
      done(0, { ...thought, summary }),
      added(1, { ...refusal, content: [] }),
      event("response.refusal.delta", { item_id: "msg_2", output_index: 1, content_index: 0, delta: "No" }),
      done(1, refusal),
      completed(),
    );
    const pieces = wire.filter(({ event: type }) => type?.endsWith(".delta"));
    expect(pieces.map(({ written }) => written)).toEqual(["So", " then", "No", " way"]);
  });
});

describe("a streamed response with arbitrary content indexes", () => {
  const place = (at: number) => ({ item_id: "msg_1", output_index: 0, content_index: at });
  const part = (text: string) => ({ type: "output_text", text, annotations: [] });
  const partAdded = (at: number) => event("response.content_part.added", { ...place(at), part: part("") });
  const delta = (at: number, text: string) =>
    event("response.output_text.delta", { ...place(at), delta: text });
  const textDone = (at: number, text: string) => event("response.output_text.done", { ...place(at), text });
  const partDone = (at: number, text: string) =>
    event("response.content_part.done", { ...place(at), part: part(text) });
  const ends = (...texts: string[]) => {
    const item = { ...message, content: texts.map(part) };
    return [done(0, item), completed([item])];
  };
  const told = (...events: Json[]) =>
    read(...events).wire.flatMap(({ event: type, members, written }) => {
      if (type !== "response.output_text.delta") return written === "" ? [] : [`beside a piece: ${written}`];
      expect(JSON.parse(`{${members}}`).delta).toBe(written);
      return [written];
    });

  test.each<[string, Json[], string[]]>([
    [
      "every event has its own index, as with vLLM",
      [
        partAdded(0),
        delta(1, "Hel"),
        delta(2, "lo"),
        textDone(3, "Hello"),
        partDone(4, "Hello"),
        ...ends("Hello"),
      ],
      ["Hel", "lo"],
    ],
    ["deltas that the item joins", [delta(0, "Hel"), delta(1, "lo"), ...ends("Hello")], ["Hel", "lo"]],
    [
      "a text that ends under another index",
      [partAdded(0), delta(0, "Hello"), textDone(1, "Hello"), ...ends("Hello")],
      ["Hello"],
    ],
    [
      "a part that ends under another index",
      [delta(0, "Hello"), textDone(0, "Hello"), partDone(1, "Hello"), ...ends("Hello")],
      ["Hello"],
    ],
    [
      "a rest after deltas of several indexes",
      [delta(0, "Hel"), delta(1, "l"), textDone(2, "Hello"), partDone(3, "Hello"), ...ends("Hello")],
      ["Hel", "l", "o"],
    ],
    [
      "the rest of a second part",
      [delta(0, "One"), partDone(0, "One"), delta(1, "Tw"), partDone(1, "Two"), ...ends("One", "Two")],
      ["One", "Tw", "o"],
    ],
    [
      "a first part that may contain the second",
      [delta(0, "a"), delta(1, "b"), textDone(0, "a b"), partDone(0, "a b")],
      ["a", "b"],
    ],
  ])("repeats no text: %s", (_, events, pieces) => {
    expect(told(added(0, message), ...events, completed())).toEqual(pieces);
  });

  const ok = [partAdded(0), delta(0, "ok"), partDone(0, "ok"), partAdded(1), partDone(1, "ok")];
  const both = [partAdded(0), partAdded(1), delta(0, "Hel"), delta(1, "Wor")];
  test.each<[string, Json[], string[]]>([
    [
      "equal to the end of the part before",
      [partAdded(0), partDone(0, "Answer: 42"), partAdded(1), partDone(1, "42"), ...ends("Answer: 42", "42")],
      ["Answer: 42", "42"],
    ],
    ["equal to the part before", [...ok, ...ends("ok", "ok")], ["ok", "ok"]],
    [
      "that begins with the part before",
      [
        partAdded(0),
        delta(0, "Hi"),
        partDone(0, "Hi"),
        partAdded(1),
        partDone(1, "Hi there"),
        ...ends("Hi", "Hi there"),
      ],
      ["Hi", "Hi there"],
    ],
    [
      "interleaved with another",
      [
        ...both,
        ...[textDone(0, "Hello"), textDone(1, "World"), partDone(0, "Hello"), partDone(1, "World")],
        ...ends("Hello", "World"),
      ],
      ["Hel", "Wor", "lo", "ld"],
    ],
    [
      "interleaved with another, up to the item's end",
      [...both, ...ends("Hello", "World")],
      ["Hel", "Wor", "lo", "ld"],
    ],
    [
      "that only the end of the item contains",
      [partAdded(0), delta(0, "Hello"), partDone(0, "Hello"), partAdded(1), ...ends("Hello", "lo")],
      ["Hello", "lo"],
    ],
    [
      "joined to the first by a second part",
      [partAdded(0), delta(0, "Hel"), partAdded(1), delta(1, "lo"), textDone(1, "Hello you")],
      ["Hel", "lo", " you"],
    ],
  ])("completes every part whose index it began: %s", (_, events, pieces) => {
    expect(told(added(0, message), ...events, completed())).toEqual(pieces);
  });

  test("repeats no text without an index that ends after a refusal", () => {
    const refused = event("response.refusal.delta", { item_id: "msg_1", output_index: 0, delta: "No" });
    const unnumbered = ({ content_index: _, ...fields }: Json): Json => fields;
    const events = [unnumbered(delta(0, "Hello")), refused, unnumbered(textDone(0, "Hello"))];
    expect(told(added(0, message), ...events, completed())).toEqual(["Hello", "beside a piece: No"]);
  });

  test("repeats no text that the item began with", () => {
    const begun = added(0, { ...message, content: [part("Hello")] });
    const events = [begun, textDone(1, "Hello"), ...ends("Hello")];
    expect(read(...events).wire.map(({ event: type }) => type)).not.toContain("response.output_text.delta");
  });

  test.each([null, 3, "x"])("is read although the item begins with an invalid part: %j", (none) => {
    const begun = added(0, { ...message, content: [none] });
    expect(told(begun, delta(0, "Hel"), textDone(0, "Hello"), ...ends("Hello"))).toEqual(["Hel", "lo"]);
  });

  test("has exactly the text of its parts, whatever the indexes", () => {
    const text = tuple(array(tuple(nat(3), constantFrom("a", "b", "ab", ""))), nat(3), nat(3));
    assert(
      property(array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        const whole = texts.map(([pieces]) => pieces.map(([, piece]) => piece).join(""));
        const within = texts.flatMap(([pieces, textAt, partAt], index) => [
          ...pieces.map(([at, piece]) => delta(at, piece)),
          textDone(textAt, whole[index] ?? ""),
          partDone(partAt, whole[index] ?? ""),
        ]);
        const events = [added(0, message), ...within];
        expect(told(...events, ...ends(...whole)).join("")).toBe(whole.join(""));
        expect(told(...events, ...ends(whole.join(""))).join("")).toBe(whole.join(""));
      }),
    );
  });
});
