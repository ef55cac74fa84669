import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import type { ChatEvent } from "../../../contract/index.ts";
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
  test("are assembled by index", () => {
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

  test("with invalid arguments are not parsed from the start again with every fragment", () => {
    const first = { index: 0, id: "a", ...work("f", `{"a":[${"0,".repeat(150_000)}0]}}`) };
    const more = Array.from({ length: 500 }, () => ({ index: 0, id: "a", ...work("f", "{}") }));
    expect(fragments(first, ...more)).toHaveLength(1);
    expect(fastestMs(() => fragments(first, ...more), 3, 200)).toBeLessThan(200);
  });

  test("are numbered from 0, whatever indexes the server uses", () => {
    expect(
      fragments({ index: 3, id: "a", ...work("f", "{}") }, { index: 7, id: "b", ...work("g", "{}") }),
    ).toHaveLength(2);
  });

  test("without an index are distinguished by id", () => {
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

  test("that all have index 0 are distinguished by id and name", () => {
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
    ["of different names with index 0 and without ids", { index: 0, id: null }, F, G],
    ["of one name with index 0 and without ids", { index: 0, id: "" }, F, { ...F, arguments: "{}" }],
    ["of different names with the same id", { id: "a" }, F, G],
    ["of one name with the same id", { id: "a" }, F, { ...F, arguments: "{}" }],
    ["of one name with the same index and id", { index: 0, id: "a" }, F, { ...F, arguments: "{}" }],
    ["that are identical, without ids", { index: 0, id: "" }, F, F],
  ])("%s are two calls with different ids", (_, named, first, second) => {
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

  test("that a stream repeats under the same id are one call", () => {
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

  test("in a whole reply are two although the first has no arguments", () => {
    const entry = { index: 0, id: "", function: { name: "f", arguments: "" } };
    const message = { tool_calls: [entry, entry] };
    const calls = callsOf(decodeWhole({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
    expect(calls.map((call) => call.arguments)).toEqual(["{}", "{}"]);
  });

  test("that share an id: fragments without a name continue the last of them", () => {
    expect(
      fragments(
        { id: "a", ...work("f", '{"x":1}') },
        { id: "a", ...work("g", '{"y"') },
        { id: "a", ...work("", ":2}") },
      ),
    ).toMatchObject([F, G]);
  });

  test("that get an index only in later fragments are matched with those that began without", () => {
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

  test("with a late index are matched by id, else by order if the server does not count from 0", () => {
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

  test("with an index and a new id are separate from an earlier call without an index", () => {
    expect(
      fragments({ id: "a", ...work("f", "{}") }, { index: 0, id: "b", ...work("g", '{"y":2}') }),
    ).toEqual([
      { id: "a", name: "f", arguments: "{}" },
      { id: "b", name: "g", arguments: '{"y":2}' },
    ]);
  });

  test("continue if a fragment repeats the name, or has an empty or a different id", () => {
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

  test("stay one if the name is repeated after the end of the arguments, or inside an object", () => {
    const named = (...texts: string[]) => texts.map((text) => ({ index: 0, ...work("f", text) }));
    expect(fragments(...named('{"x":1}', "", "\n"))).toMatchObject([{ arguments: '{"x":1}\n' }]);
    expect(fragments(...named('{"x":', '{"y":{}', "}}"))).toMatchObject([{ arguments: '{"x":{"y":{}}}' }]);
  });

  test("of one name and index, without ids, are separate if the name is repeated before each", () => {
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

  test("stay one if an object follows without a name, inside an open object, or under the same id", () => {
    const once = (...each: unknown[]) => expect(fragments(...each)).toHaveLength(1);
    const more = (text: string) => ({ index: 0, ...work(undefined, text) });
    once({ index: 0, ...work("f", '{"a":1}') }, more("{}"));
    once({ index: 0, ...work("f", '{"a":') }, { index: 0, ...work("f", "") }, more('{"b":2}}'));
    const begun = { index: 0, id: "a", ...work("f", "") };
    once(begun, more('{"a":1}'), begun, more('{"a":1}'));
  });

  test("without an id get a generated one", () => {
    const [call] = fragments({ index: 0, ...work("f", "{}") });
    expect(call?.id).toMatch(/^call_[0-9a-f]{32}$/);
  });

  test("are reported with all arguments although the name comes after some of them", () => {
    expect(
      fragments({ index: 0, id: "a", ...work(undefined, "{") }, { index: 0, ...work("f", "}") }),
    ).toEqual([{ id: "a", name: "f", arguments: "{}" }]);
  });

  test("without arguments get an empty object, and arguments sent as an object become text", () => {
    expect(fragments({ index: 0, id: "a", function: { name: "f" } })).toEqual([
      { id: "a", name: "f", arguments: "{}" },
    ]);
    expect(fragments({ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } })[0]?.arguments).toBe(
      '{"x":1}',
    );
  });

  test.each(["", " ", "\n", "\t \r\n"])(
    "with blank arguments get arguments that parse as an empty object: %j",
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

  test("of custom tools keep blank input", () => {
    const entry = { index: 0, id: "a", type: "custom", custom: { name: "f", input: " " } };
    expect(callsOf(decodeChunks([delta({ tool_calls: [entry] }), STOP]))[0]?.arguments).toBe('{"input":" "}');
  });

  test("in the legacy function_call form are reported as tool calls", () => {
    const chunks = [
      delta({ function_call: { name: "f", arguments: "{" } }),
      delta({ function_call: { arguments: "}" } }),
    ];
    const events = decodeChunks([...chunks, delta({}, { finish_reason: "function_call" })]);
    expect(callsOf(events)).toMatchObject([{ name: "f", arguments: "{}" }]);
    expect(events.at(-1)).toMatchObject({ reason: "tool_calls" });
  });

  test("have their signature prefixed with the provider's name", () => {
    const call = { id: "a", ...work("f", "{}"), extra_content: { google: { thought_signature: "s1" } } };
    const message = {
      choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason: "stop" }],
    };
    expect(decodeWhole(message)[0]).toMatchObject({ type: "tool_start", signature: "acme/s1" });
  });

  test("without a name make the answer unreadable", () => {
    expect(() => fragments({ index: 0, id: "a", ...work(undefined, "{}") })).toThrow("could not be read");
  });

  test("fail the answer as excessive if there are 600 of them", () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ index, id: `c${index}`, ...work("f", "{}") }));
    const detail = { internal: "too many tool calls", targetHealth: "up", isExcess: true };
    const bounded = { detail: expect.objectContaining(detail) };
    expect(() => fragments(...many)).toThrow(expect.objectContaining(bounded));
  });
});
