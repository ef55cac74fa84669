import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../providers/index.ts";
import { compact } from "./compact.ts";

const COLOURED = Array.from({ length: 40 }, (_, at) => `\x1b[32mPASS\x1b[0m test number ${at}`).join("\n");

const KEYS = Array.from({ length: 30 }, (_, at) => `    ${400 + at}: message number ${at}`).join("\n");

function resultOf(name: string, content: string, input = "{}"): ChatMessage[] {
  return [
    { role: "assistant", content: null, toolCalls: [{ id: "1", name, arguments: input }] },
    { role: "tool", toolCallId: "1", content },
  ];
}

describe.each(["safe", "structural"] as const)("at the level %s", (level) => {
  test.each(["Read", "mcp__fs__slurp"])(
    "a tool that reads files, or may, keeps terminal codes: %s",
    (name) => {
      const messages = resultOf(name, COLOURED);
      expect(compact(messages, { level, references: true }).messages).toBe(messages);
    },
  );

  test.each(["Read", "Bash", "mcp__fs__slurp", "get_log"])(
    "keys that count, and their indent, stay in what %s shows",
    (name) => {
      for (const text of [`messages:\n${KEYS}`, KEYS.replaceAll("    ", "")]) {
        const { messages } = compact(resultOf(name, text), { level, references: true });
        for (const line of text.split("\n")) expect(messages[1]?.content).toContain(line);
      }
    },
  );

  test.each([
    { command: "cat colours.sh" },
    { command: "cd /srv/app && sed -n '1,40p' colours.sh" },
    { command: ["bash", "-lc", "head -40 colours.sh"] },
  ])("a shell that shows a file keeps them, too: %j", (input) => {
    const messages = resultOf("Bash", COLOURED, JSON.stringify(input));
    const { messages: shown, actions } = compact(messages, { level, references: true });
    expect(actions).not.toContain("terminal_codes");
    expect(shown[1]?.content).toContain("\x1b[32mPASS\x1b[0m");
  });

  test.each(["make", "cat build.log", "catch 1"])("a shell loses them where it runs %s", (command) => {
    const messages = resultOf("Bash", COLOURED, JSON.stringify({ command }));
    expect(compact(messages, { level, references: true }).messages[1]?.content).not.toContain("\x1b");
  });

  test("a result that names no call keeps them, too", () => {
    const messages = resultOf("Bash", COLOURED).slice(1);
    expect(compact(messages, { level, references: true }).messages).toBe(messages);
  });

  test.each(["Bash", "Grep", "get_log"])("a tool whose results are output loses them: %s", (name) => {
    const { messages, actions } = compact(resultOf(name, COLOURED), { level, references: true });
    expect(messages[1]?.content).not.toContain("\x1b");
    expect(actions).toContain("terminal_codes");
  });
});
