import { expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { delta, wireBodyFor, wireChunks } from "../testing.ts";

const call = (fields: object) => delta({ tool_calls: [fields] });

test("tool_calls are returned as one function_call if the request used legacy functions", () => {
  const chunks = [
    call({ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }),
    ...['{"a"', ":1", ',"b"', ":2}"].map((text) => call({ index: 0, function: { arguments: text } })),
    call({ index: 1, id: "b", type: "function", function: { name: "g", arguments: "{}" } }),
    delta({}, { finish_reason: "tool_calls" }),
  ];
  const { chunks: told } = wireChunks(chunks, { form: { isFirstForm: true } });
  const choices = (told as { choices: Readonly<Record<string, unknown>>[] }[]).flatMap(
    (each) => each.choices,
  );
  const calls = choices.map(({ delta: said }) => (said as { function_call?: object }).function_call ?? {});
  expect(JSON.stringify(told)).not.toContain("tool_calls");
  expect(calls.map((each) => (each as { name?: string }).name ?? "").join("")).toBe("f");
  const given = calls.map((each) => (each as { arguments?: string }).arguments ?? "");
  expect(given.join("")).toBe('{"a":1,"b":2}');
  expect(choices.at(-1)?.["finish_reason"]).toBe("function_call");
});

test("legacy functions have their schemas repaired like those of tools", () => {
  const parameters = { $schema: "draft", type: "object", properties: null };
  const functions = [{ name: "f", description: "F", parameters }, { name: "g" }, "h"];
  const sentTo = (vendor: keyof typeof WIRE_VENDORS) =>
    wireBodyFor({ functions }, { vendor: WIRE_VENDORS[vendor] })["functions"];
  expect(sentTo("groq")).toEqual([
    { name: "f", description: "F", parameters: { type: "object", properties: {} } },
    { name: "g" },
    "h",
  ]);
  expect(sentTo("openai")).toEqual(functions);
});
