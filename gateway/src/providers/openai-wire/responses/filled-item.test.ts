import { describe, expect, test } from "bun:test";
import { expecting, streamed } from "../testing.ts";
import { filledItem } from "./filled-item.ts";
import { responseReading } from "./response-reading.ts";

type Json = Record<string, unknown>;
const read = (...events: Json[]) => streamed(responseReading(expecting()), events);
const completed = (output: Json[]) => ({
  type: "response.completed",
  response: { object: "response", status: "completed", output },
});

describe("a call that begins with an object as its arguments", () => {
  const call = (status: string, given: unknown) => ({
    ...{ type: "function_call", id: "f", call_id: "c", name: "f" },
    ...{ arguments: given, status },
  });
  const about = (step: string, fields: Json) => ({
    type: `response.function_call_arguments.${step}`,
    ...{ item_id: "f", output_index: 0, ...fields },
  });
  const TEXT = '{"x":1}';

  test.each<[string, Json[], unknown]>([
    [
      "deltas follow",
      [
        about("delta", { delta: '{"x"' }),
        about("delta", { delta: ":1}" }),
        about("done", { arguments: TEXT }),
      ],
      TEXT,
    ],
    ["text follows", [about("done", { arguments: TEXT })], TEXT],
    ["an object follows", [about("done", { arguments: { x: 1 } })], { x: 1 }],
  ])("begins with empty arguments if the object is empty: %s", (_, between, given) => {
    const ended = call("completed", given);
    const { chunks, finish } = read(
      { type: "response.output_item.added", output_index: 0, item: call("in_progress", {}) },
      ...between,
      { type: "response.output_item.done", output_index: 0, item: ended },
      completed([ended]),
    );
    expect(chunks[0]).toMatchObject({ item: { arguments: "" } });
    expect(chunks.map(({ delta }) => delta ?? "").join("")).toBe(TEXT);
    expect(finish.whole).toMatchObject({ output: [{ arguments: TEXT }] });
  });

  test("has arguments if the object has members, or if the call is completed", () => {
    expect(filledItem(call("in_progress", { x: 1 }), "in_progress")).toMatchObject({ arguments: TEXT });
    expect(filledItem(call("completed", {}), "completed")).toMatchObject({ arguments: "{}" });
  });
});

test.each(["hasOwnProperty", "__proto__", "constructor", "toString"])(
  "an item whose type is a property of every object is passed on like any unknown item: %s",
  (type) => {
    const item = { type, id: "k" };
    const { finish } = read({ type: "response.output_item.done", output_index: 0, item }, completed([item]));
    expect(finish.whole).toEqual({ object: "response", status: "completed", output: [item] } as never);
  },
);
