import { describe, expect, test } from "bun:test";
import { expand } from "../../expand/expand.ts";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";

const ROWS = Array.from({ length: 20 }, (_, at) => ({ id: at, state: at % 3 === 0 ? "open" : "closed" }));
const INDENTED = JSON.stringify(ROWS, null, 2);

function result(name: string, content: string): ChatMessage[] {
  const call = { id: "1", name, arguments: "{}" };
  return [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: "1", content },
  ];
}

function shown(level: "safe" | "structural", name: string, content: string): unknown {
  return compact(result(name, content), { level, references: true }).messages[1]?.content;
}

describe("JSON after a line that introduces it", () => {
  test.each(["Found 20 results:\n", "Found 20 results:\n\n", "[1/2]\n"])(
    "loses its white space in data results: %j",
    (lead) => {
      expect(shown("safe", "search_items", lead + INDENTED)).toBe(lead + JSON.stringify(ROWS));
      const members = Array.from({ length: 12 }, () => '"a": 1.0,\n      "a": 1e5').join(",\n      ");
      expect(shown("safe", "search_items", `${lead}{ ${members} }`)).toBe(
        `${lead}{${members.replaceAll(/\s/g, "")}}`,
      );
    },
  );

  test("becomes a table", () => {
    const table = '{"§cols":["id","state"]\n0,open\n1,closed\n';
    expect(shown("structural", "search_items", `Found:\n${INDENTED}`)).toStartWith(`Found:\n${table}`);
    const { messages } = compact(result("Bash", JSON.stringify(ROWS)), {
      level: "structural",
      references: true,
    });
    expect(messages[1]?.content).toStartWith(table);
    expect(expand(messages)[1]?.content).toBe(JSON.stringify(ROWS));
  });

  test.each([
    ["a shell, at the level safe", "safe", "Bash", `Found:\n${INDENTED}`],
    ["a shell", "structural", "Bash", INDENTED],
    ["a file", "structural", "Read", `Found:\n${INDENTED}`],
    ["an unknown tool", "structural", "unheard_of", `Found:\n${INDENTED}`],
    ["a fence in a programming language", "safe", "search_items", `\`\`\`ts\n${INDENTED}`],
    ["more lines", "safe", "search_items", `a\nb\nc\n${INDENTED}`],
    ["more lines, one of which introduces it", "safe", "search_items", `a\nOutput:\nb\n${INDENTED}`],
    ["too many lines that introduce it", "safe", "search_items", `a\nb\nc\nd\ne\nf\nOutput:\n${INDENTED}`],
    ["a long line", "safe", "search_items", `${"a".repeat(400)}\n${INDENTED}`],
    ["a line before it and another after it", "safe", "search_items", `Found:\n${INDENTED}\nThat is all.`],
  ] as const)("stays unchanged with %s", (_, level, name, text) => {
    expect(shown(level, name, text)).toBe(text);
  });
});
