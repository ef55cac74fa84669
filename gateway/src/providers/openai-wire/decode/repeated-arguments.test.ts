import { describe, expect, test } from "bun:test";
import { decodeChunks, delta, wireDeltas } from "../testing.ts";

type Call = { readonly function?: { readonly arguments?: string } };

const begun = delta({ tool_calls: [{ index: 0, id: "c1", function: { name: "look", arguments: "" } }] });
/** The way servers flush what they believe was not sent: with neither name nor id. */
const given = (text: string, finishReason: string | null = null) =>
  delta(
    { tool_calls: [{ index: 0, id: null, type: null, function: { name: null, arguments: text } }] },
    { finish_reason: finishReason },
  );
const END = delta({}, { finish_reason: "tool_calls" });

/** The arguments of the only call, as both readers report them. */
function argumentsIn(...chunks: readonly unknown[]): string {
  const neutral = decodeChunks([begun, ...chunks]).map((event) =>
    event.type === "tool_arguments" ? event.text : "",
  );
  const wire = wireDeltas([begun, ...chunks]).flatMap(({ tool_calls: calls = [] }) =>
    (calls as readonly Call[]).map((call) => call.function?.arguments ?? ""),
  );
  expect(wire.join("")).toBe(neutral.join(""));
  return neutral.join("");
}

describe("arguments that a server repeats", () => {
  test("are reported once if the last fragment contains all of them", () => {
    expect(argumentsIn(given('{"at": '), given("1}"), given('{"at": 1}', "tool_calls"))).toBe('{"at": 1}');
  });

  test("are reported once if any fragment after their end contains all of them", () => {
    expect(argumentsIn(given('{"at": '), given("1}"), given('{"at": 1}'), END)).toBe('{"at": 1}');
    expect(argumentsIn(given('{"at": 1}'), given('{"at": 1}\n'), END)).toBe('{"at": 1}');
  });

  test.each(['{"at": "h', '{"at": "here"', "{"])(
    "are completed if the last fragment repeats them all after %s",
    (before) => {
      expect(argumentsIn(given(before), given('{"at": "here"}', "tool_calls"))).toBe('{"at": "here"}');
    },
  );

  test("are not mistaken for repeated if a nested object begins like them", () => {
    expect(argumentsIn(given('{"at":'), given('{"at":1}'), given("}"), END)).toBe('{"at":{"at":1}}');
    expect(argumentsIn(given('{"at":'), given('{"at":1}}', "tool_calls"))).toBe('{"at":{"at":1}}');
  });

  test("are not mistaken for repeated if they are not an object", () => {
    expect(argumentsIn(given("1"), given("12", "tool_calls"))).toBe("112");
  });
});
