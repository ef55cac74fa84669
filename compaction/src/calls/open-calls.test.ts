import { describe, expect, test } from "bun:test";
import { compact } from "../compact.ts";
import type { ChatMessage, ToolCall } from "../message.ts";
import { createOpenCalls } from "./open-calls.ts";

const call = (id: string, name: string, path = name): ToolCall => ({
  id,
  name,
  arguments: JSON.stringify({ path }),
});

describe("a result answers", () => {
  const [a, b, c] = [call("x", "a"), call("x", "b"), call("y", "c")];

  test("the call with its id, any number of times", () => {
    const calls = createOpenCalls();
    calls.open([a, c]);
    expect(["y", "x", "x", "z"].map((id) => calls.answer(id).call)).toEqual([c, a, a, undefined]);
  });

  test("the calls of a turn with the same id in order, and none after the last", () => {
    const calls = createOpenCalls();
    calls.open([a, c, b]);
    expect(["x", "y", "x", "x"].map((id) => calls.answer(id).call)).toEqual([a, c, b, undefined]);
  });

  test("the call of the last turn if ids are reused", () => {
    const calls = createOpenCalls();
    calls.open([a]);
    expect(calls.answer("x").call).toBe(a);
    calls.open([b]);
    expect(calls.answer("x").call).toBe(b);
  });

  test("the call of the last turn if an earlier one was never answered, but others were since", () => {
    const calls = createOpenCalls();
    calls.open([a]);
    calls.open([c]);
    expect(calls.answer("y").call).toBe(c);
    calls.open([b]);
    expect(calls.answer("x").call).toBe(b);
  });

  test("no call if two turns in a row use its id", () => {
    const calls = createOpenCalls();
    calls.open([a]);
    calls.open([b]);
    expect(["x", "x"].map((id) => calls.answer(id).call)).toEqual([undefined, undefined]);
    calls.open([a]);
    expect(calls.answer("x").call).toBe(a);
  });
});

describe("two calls of one turn with the same id", () => {
  const turn = (...toolCalls: ToolCall[]): ChatMessage => ({ role: "assistant", content: null, toolCalls });
  const tool = (toolCallId: string, content: string): ChatMessage => ({ role: "tool", toolCallId, content });
  const json = JSON.stringify(
    { name: "app", scripts: { build: "tsc" }, tags: ["a", "b", "c", "d"] },
    null,
    2,
  );

  test("leave a file unchanged, whichever of them a result answers", () => {
    for (const id of ["call_0", ""]) {
      for (const names of [
        ["read_file", "get_user"],
        ["get_user", "read_file"],
      ]) {
        const calls = turn(...names.map((name) => call(id, name)));
        for (const results of [1, 2, 3]) {
          const messages = [calls, ...Array.from({ length: results }, () => tool(id, json))];
          expect(compact(messages, { level: "safe", references: true }).changed).toEqual([]);
        }
      }
    }
  });

  test("are compacted as what both of them are", () => {
    const messages = [turn(call("x", "get_user"), call("x", "get_order")), tool("x", json), tool("x", json)];
    const more = [...messages, tool("x", json)];
    expect(compact(more, { level: "safe", references: true }).changed).toEqual([1, 2]);
  });

  test("keep their own names in references", () => {
    const text = (word: string) =>
      Array.from({ length: 20 }, (_, at) => `${word} line ${at * at} of the file`).join("\n");
    const [one, two] = [text("one"), text("two")];
    const before = [turn(call("Read", "Read", "a.py"), call("Read", "Read", "b.py"))];
    before.push(tool("Read", one), tool("Read", two));
    for (const [said, name] of [
      [one, "a.py"],
      [two, "b.py"],
    ] as const) {
      const messages = [...before, turn(call("Read", "Read", "c.py")), tool("Read", said)];
      const { messages: shown } = compact(messages, { level: "structural", references: true });
      expect(shown.at(-1)?.content).toBe(`§same as Read "${name}"`);
    }
  });
});
