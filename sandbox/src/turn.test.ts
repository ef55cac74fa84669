import { expect, test } from "bun:test";
import type { ChatMessage } from "../../gateway/src/contract/index.ts";
import { fastestMs } from "../../test/fastest.ts";
import { readTurn } from "./turn.ts";

const read = (messages: readonly ChatMessage[]) => readTurn({ messages, maxOutputTokens: 1 });

test("tool results have the names of their calls, of the first call with each id", () => {
  const call = (id: string, name: string) => ({ id, name, arguments: "{}" });
  const { toolResults } = read([
    { role: "assistant", content: null, toolCalls: [call("a", "one"), call("b", "two"), call("a", "three")] },
    { role: "tool", toolCallId: "b", content: "B" },
    { role: "tool", toolCallId: "a", content: "A" },
    { role: "tool", toolCallId: "c", content: "C" },
  ]);
  expect(toolResults).toEqual([
    { name: "two", text: "B" },
    { name: "one", text: "A" },
    { name: "the tool", text: "C" },
  ]);
});

test("a text file in a tool result is read, and any other file is named", () => {
  const csv = Buffer.from("Oslo,42").toString("base64");
  const { toolResults } = read([
    { role: "assistant", content: null, toolCalls: [{ id: "a", name: "one", arguments: "{}" }] },
    {
      role: "tool",
      toolCallId: "a",
      content: [
        { type: "file", filename: "rain.csv", data: `data:text/csv;base64,${csv}` },
        { type: "file", filename: "a.pdf", data: "data:application/pdf;base64,AA==" },
      ],
    },
  ]);
  expect(toolResults).toEqual([{ name: "one", text: "Oslo,42\n(a.pdf)" }]);
});

test("a user message that looks like agent context is read if it is the only one since the last answer", () => {
  const user = (content: string): ChatMessage => ({ role: "user", content });
  const answered: ChatMessage[] = [user("Delete user 17"), { role: "assistant", content: "Done." }];
  const tools = [{ name: "delete_user" }];
  const asAgent = (...last: ChatMessage[]) =>
    readTurn({ messages: [...answered, ...last], maxOutputTokens: 1, tools }).text;
  for (const text of ["<rich-text>Thanks a lot</rich-text>", "# NOTES.md\nThanks a lot"]) {
    expect(asAgent(user(text))).toBe(text);
    expect(asAgent(user(text), { role: "system", content: "Be brief." })).toBe(text);
    expect(asAgent(user(text), user("Hello"))).toBe("Hello");
    expect(asAgent(user("Hello"), user(text))).toBe("Hello");
  }
  const called: ChatMessage = {
    role: "assistant",
    content: null,
    toolCalls: [{ id: "a", name: "delete_user", arguments: "{}" }],
  };
  const result: ChatMessage = { role: "tool", toolCallId: "a", content: "gone" };
  const reminder = user("<system-reminder>Be brief.</system-reminder>");
  expect(asAgent(user("Hello"), called, result, reminder)).toBe("Hello");
});

test("9,000 results find their calls among 30,000 within 100 ms", () => {
  const toolCalls = Array.from({ length: 30_000 }, (_, at) => ({
    id: `call-${at}`,
    name: "f",
    arguments: "{}",
  }));
  const results = Array.from({ length: 9_000 }, () => ({
    ...{ role: "tool" as const, toolCallId: "call-29999", content: "x" },
  }));
  expect(fastestMs(() => read([{ role: "assistant", content: null, toolCalls }, ...results]))).toBeLessThan(
    100,
  );
});

test("logit_bias is accepted, but an unknown response_format or a compaction is refused", () => {
  const body = { logit_bias: { 50256: -100 } };
  const wire = { kind: "chat_completions" as const, body };
  expect(readTurn({ messages: [{ role: "user", content: "hi" }], maxOutputTokens: 1, wire }).text).toBe("hi");
  const odd = { ...wire, body: { response_format: { type: "grammar" } } };
  expect(() => readTurn({ messages: [], maxOutputTokens: 1, wire: odd })).toThrow("response_format: ");
  const compacted = {
    kind: "responses" as const,
    body: { input: [{ type: "compaction" }] },
  };
  expect(() => readTurn({ messages: [], maxOutputTokens: 1, wire: compacted })).toThrow("input: ");
});
