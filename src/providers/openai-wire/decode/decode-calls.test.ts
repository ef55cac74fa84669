import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import type { ChatEvent } from "../../contract.ts";
import { decodeChunks, decodeWhole, delta, STOP, wholeOf, wireDeltas } from "../testing.ts";

type Call = { id: string; name: string; arguments: string };
type Entry = { function: object };

function callsOf(events: readonly ChatEvent[]): Call[] {
  const calls: Call[] = [];
  for (const event of events) {
    if (event.type === "tool_start") {
      expect(event.call).toBe(calls.length);
      calls.push({ id: event.id, name: event.name, arguments: "" });
    }
    const call = event.type === "tool_arguments" ? calls[event.call] : undefined;
    if (event.type === "tool_arguments") {
      expect(call).toBeDefined();
      if (call) call.arguments += event.text;
    }
  }
  return calls;
}

const fragments = (...each: unknown[]) =>
  callsOf(decodeChunks([...each.map((one) => delta({ tool_calls: [one] })), STOP]));
const work = (name?: string, text?: string) => ({ function: { name, arguments: text } });

describe("tool calls", () => {
  test("are put together by their index", () => {
    expect(
      fragments(
        { index: 0, id: "a", type: "function", ...work("f", "") },
        { index: 0, ...work(undefined, '{"x"') },
        { index: 1, id: "b", ...work("g", '{"y":2}') },
        { index: 0, ...work(undefined, ":1}") },
      ),
    ).toEqual([
      { id: "a", name: "f", arguments: '{"x":1}' },
      { id: "b", name: "g", arguments: '{"y":2}' },
    ]);
  });

  test("whose arguments never end well are not read from their beginning with every piece", () => {
    const first = { index: 0, id: "a", ...work("f", `{"a":[${"0,".repeat(150_000)}0]}}`) };
    const more = Array.from({ length: 500 }, () => ({ index: 0, id: "a", ...work("f", "{}") }));
    expect(fragments(first, ...more)).toHaveLength(1);
    expect(fastestMs(() => fragments(first, ...more), 3, 200)).toBeLessThan(200);
  });

  test("are counted from 0, whatever the server counts", () => {
    expect(
      fragments({ index: 3, id: "a", ...work("f", "{}") }, { index: 7, id: "b", ...work("g", "{}") }),
    ).toHaveLength(2);
  });

  test("without an index are told apart by their ids", () => {
    const whole = {
      tool_calls: [
        { id: "a", ...work("f", "{}") },
        { id: "b", ...work("f", '{"x":1}') },
      ],
    };
    expect(callsOf(decodeChunks([delta(whole), STOP])).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(fragments({ id: "a", ...work("f", "{") }, { id: "a", ...work("", "}") })).toEqual([
      { id: "a", name: "f", arguments: "{}" },
    ]);
  });

  test("that are all numbered 0 are told apart by id and name", () => {
    expect(
      fragments({ index: 0, id: "a", ...work("f", "{}") }, { index: 0, id: "b", ...work("g", "{}") }),
    ).toEqual([
      { id: "a", name: "f", arguments: "{}" },
      { id: "b", name: "g", arguments: "{}" },
    ]);
  });

  const F = { name: "f", arguments: '{"x":1}' };
  const G = { name: "g", arguments: '{"y":2}' };

  test.each([
    ["of other names that are all numbered 0, without ids", { index: 0, id: null }, F, G],
    ["of one name that are all numbered 0, without ids", { index: 0, id: "" }, F, { ...F, arguments: "{}" }],
    ["of other names under one id", { id: "a" }, F, G],
    ["of one name under one id", { id: "a" }, F, { ...F, arguments: "{}" }],
    ["of one name under one number and one id", { index: 0, id: "a" }, F, { ...F, arguments: "{}" }],
    ["that are the same, without ids", { index: 0, id: "" }, F, F],
  ])("%s are two, each with an id of its own", (_, named, first, second) => {
    const entries = [first, second].map((work) => ({ ...named, type: "function", function: work }));
    const whole = { choices: [{ index: 0, message: { tool_calls: entries }, finish_reason: "tool_calls" }] };
    const repaired = wholeOf(whole)["choices"] as { message: { tool_calls: object[] } }[];
    const streams = [
      entries.map((entry) => delta({ tool_calls: [entry] })),
      [delta({ tool_calls: entries })],
    ];
    for (const calls of [
      ...streams.map((chunks) => callsOf(decodeChunks([...chunks, STOP]))),
      callsOf(decodeWhole(whole)),
      repaired[0]?.message.tool_calls.map((call) => ({ ...call, ...(call as Entry).function })) as Call[],
    ]) {
      expect(calls).toMatchObject([first, second]);
      expect(calls[0]?.id).toMatch(named.id ? /^a$/ : /^call_[0-9a-f]{32}$/);
      expect(calls[1]?.id).toMatch(/^call_[0-9a-f]{32}$/);
      expect(calls[0]?.id).not.toBe(calls[1]?.id);
    }
  });

  test("that a stream says once more, under their own id, are the same ones", () => {
    const again = { id: "a", ...work("f", '{"x":1}') };
    const once = [{ id: "a", name: "f", arguments: '{"x":1}' }];
    expect(fragments({ index: 0, ...again }, { index: 0, ...again })).toEqual(once);
    expect(fragments(again, again, again)).toEqual(once);
    const inPieces = [
      { index: 0, id: "a", ...work("f", '{"x"') },
      { index: 0, id: "a", ...work("f", ":1}") },
    ];
    expect(fragments(...inPieces, { index: 0, ...again })).toEqual(once);
    const inMany = ["", '{"c', '":"P', "ar", 'is"', "}"].map((text) => ({
      index: 0,
      ...work(undefined, text),
    }));
    const [paris, rome] = [work("f", '{"c":"Paris"}'), work("f", '{"c":"Rome"}')];
    const begun = { index: 0, id: "a", ...work("f", "") };
    const whole = { id: "a", name: "f", arguments: '{"c":"Paris"}' };
    expect(fragments(begun, ...inMany, { index: 0, id: "a", ...paris })).toEqual([whole]);
    // With the same index and without an id, it is another call.
    expect(fragments(begun, ...inMany, { index: 0, ...rome })).toMatchObject([
      whole,
      { arguments: '{"c":"Rome"}' },
    ]);
    // Every entry of a whole reply is a call.
    const message = { tool_calls: [again, again] };
    const calls = callsOf(decodeWhole({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
    expect(calls.map((call) => call.arguments)).toEqual(['{"x":1}', '{"x":1}']);
  });

  test("of a whole reply are two even where the first is without arguments", () => {
    const entry = { index: 0, id: "", function: { name: "f", arguments: "" } };
    const message = { tool_calls: [entry, entry] };
    const calls = callsOf(decodeWhole({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
    expect(calls.map((call) => call.arguments)).toEqual(["{}", "{}"]);
  });

  test("under one id go on where the last of them left off", () => {
    expect(
      fragments(
        { id: "a", ...work("f", '{"x":1}') },
        { id: "a", ...work("g", '{"y"') },
        { id: "a", ...work("", ":2}") },
      ),
    ).toMatchObject([F, G]);
  });

  test("whose number comes late are the ones that began without it", () => {
    expect(
      fragments(
        { id: "a", ...work("f", "") },
        { index: 0, ...work(undefined, '{"x"') },
        { index: 0, ...work(undefined, ":1}") },
      ),
    ).toEqual([{ id: "a", name: "f", arguments: '{"x":1}' }]);
    expect(
      fragments(
        { id: "a", ...work("f", "") },
        { id: "b", ...work("g", "") },
        { index: 1, ...work(undefined, '{"y":2}') },
        { index: 0, ...work(undefined, '{"x":1}') },
      ),
    ).toEqual([
      { id: "a", name: "f", arguments: '{"x":1}' },
      { id: "b", name: "g", arguments: '{"y":2}' },
    ]);
  });

  test("whose number comes late are found by their id, and by their turn where a server counts from elsewhere", () => {
    expect(
      fragments(
        { id: "a", ...work("f", "") },
        { id: "b", ...work("g", "") },
        { index: 5, id: "a", ...work("", '{"x":1}') },
        { index: 6, ...work(undefined, '{"y":2}') },
      ),
    ).toEqual([
      { id: "a", name: "f", arguments: '{"x":1}' },
      { id: "b", name: "g", arguments: '{"y":2}' },
    ]);
  });

  test("that begin with a number after one without are calls of their own", () => {
    expect(
      fragments({ id: "a", ...work("f", "{}") }, { index: 0, id: "b", ...work("g", '{"y":2}') }),
    ).toEqual([
      { id: "a", name: "f", arguments: "{}" },
      { id: "b", name: "g", arguments: '{"y":2}' },
    ]);
  });

  test("go on where a server repeats the name, or sends an empty or a new id", () => {
    const first = { index: 0, id: "a", ...work("f", "{") };
    for (const next of [
      { index: 0, id: "a", ...work("f", "}") },
      { index: 0, ...work("f", "}") },
      { index: 0, id: "", ...work("", "}") },
      { index: 0, id: "z", ...work("", "}") },
    ]) {
      expect(fragments(first, next)).toEqual([{ id: "a", name: "f", arguments: "{}" }]);
    }
  });

  test("have not begun again where a server repeats the name after their end, or an object within them", () => {
    const named = (...texts: string[]) => texts.map((text) => ({ index: 0, ...work("f", text) }));
    expect(fragments(...named('{"x":1}', "", "\n"))).toMatchObject([{ arguments: '{"x":1}\n' }]);
    expect(fragments(...named('{"x":', '{"y":{}', "}}"))).toMatchObject([{ arguments: '{"x":{"y":{}}}' }]);
  });

  test("of one name and one number, without ids, are two where the name is said before each", () => {
    const named = (name: string, text: string) => ({ index: 0, ...work(name, text) });
    const more = (text: string) => ({ index: 0, ...work(undefined, text) });
    const two = [
      { name: "f", arguments: '{"a":1}' },
      { name: "f", arguments: '{"b":2}' },
    ];
    const calls = fragments(
      named("f", ""),
      more('{"a"'),
      more(":1}"),
      named("f", ""),
      more('{"b"'),
      more(":2}"),
    );
    expect(calls).toMatchObject(two);
    expect(calls[0]?.id).not.toBe(calls[1]?.id);
    // An index that comes late counts too.
    expect(fragments(work("f", '{"a":1}'), named("f", ""), more('{"b":2}'))).toMatchObject(two);
    const three = [...two, { name: "f", arguments: "{}" }];
    const pieces = [
      named("f", ""),
      more('{"a":1}'),
      named("f", ""),
      more('{"b":2}'),
      named("f", ""),
      more("{}"),
    ];
    expect(fragments(...pieces)).toMatchObject(three);
  });

  test("are not two where an object follows that is none of another, or where the id says that they are one", () => {
    const once = (...each: unknown[]) => expect(fragments(...each)).toHaveLength(1);
    const more = (text: string) => ({ index: 0, ...work(undefined, text) });
    once({ index: 0, ...work("f", '{"a":1}') }, more("{}"));
    once({ index: 0, ...work("f", '{"a":') }, { index: 0, ...work("f", "") }, more('{"b":2}}'));
    const begun = { index: 0, id: "a", ...work("f", "") };
    once(begun, more('{"a":1}'), begun, more('{"a":1}'));
  });

  test("without an id get one", () => {
    const [call] = fragments({ index: 0, ...work("f", "{}") });
    expect(call?.id).toMatch(/^call_[0-9a-f]{32}$/);
  });

  test("whose name comes late are told from their name on", () => {
    expect(
      fragments({ index: 0, id: "a", ...work(undefined, "{") }, { index: 0, ...work("f", "}") }),
    ).toEqual([{ id: "a", name: "f", arguments: "{}" }]);
  });

  test("without arguments have empty ones, and an object stands for its text", () => {
    expect(fragments({ index: 0, id: "a", function: { name: "f" } })).toEqual([
      { id: "a", name: "f", arguments: "{}" },
    ]);
    expect(fragments({ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } })[0]?.arguments).toBe(
      '{"x":1}',
    );
  });

  test.each(["", " ", "\n", "\t \r\n"])(
    "given nothing but blanks have arguments that can be read: %j",
    (blanks) => {
      const entry = { index: 0, id: "a", ...work("f", blanks) };
      const message = { choices: [{ index: 0, message: { tool_calls: [entry] }, finish_reason: "stop" }] };
      const repaired = wholeOf(message)["choices"] as { message: { tool_calls: { function: Call }[] } }[];
      const wired = wireDeltas([delta({ tool_calls: [entry] }), STOP]) as {
        tool_calls?: { function: Call }[];
      }[];
      for (const given of [
        fragments(entry)[0]?.arguments,
        callsOf(decodeWhole(message))[0]?.arguments,
        repaired[0]?.message.tool_calls[0]?.function.arguments,
        wired.map(({ tool_calls: calls }) => calls?.[0]?.function.arguments ?? "").join(""),
      ])
        expect(JSON.parse(given ?? "")).toEqual({});
    },
  );

  test("of any text may be given nothing but blanks", () => {
    const entry = { index: 0, id: "a", type: "custom", custom: { name: "f", input: " " } };
    expect(callsOf(decodeChunks([delta({ tool_calls: [entry] }), STOP]))[0]?.arguments).toBe('{"input":" "}');
  });

  test("of the wire's first form are calls too", () => {
    const chunks = [
      delta({ function_call: { name: "f", arguments: "{" } }),
      delta({ function_call: { arguments: "}" } }),
    ];
    const events = decodeChunks([...chunks, delta({}, { finish_reason: "function_call" })]);
    expect(callsOf(events)).toMatchObject([{ name: "f", arguments: "{}" }]);
    expect(events.at(-1)).toMatchObject({ reason: "tool_calls" });
  });

  test("keep their provider's signature, under its name", () => {
    const call = { id: "a", ...work("f", "{}"), extra_content: { google: { thought_signature: "s1" } } };
    const message = {
      choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason: "stop" }],
    };
    expect(decodeWhole(message)[0]).toMatchObject({ type: "tool_start", signature: "acme/s1" });
  });

  test("that never say their name are an answer that cannot be read", () => {
    expect(() => fragments({ index: 0, id: "a", ...work(undefined, "{}") })).toThrow("could not be read");
  });

  test("are bounded in number", () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ index, id: `c${index}`, ...work("f", "{}") }));
    const bounded = { detail: { internal: "too many tool calls", targetHealth: "up", isExcess: true } };
    expect(() => fragments(...many)).toThrow(expect.objectContaining(bounded));
  });
});
