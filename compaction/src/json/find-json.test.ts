import { describe, expect, test } from "bun:test";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";
import { expand } from "../testing/expand-testing.ts";

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

  test("becomes a table, which in a shell's result says how it was indented", () => {
    const table = '{"§cols":["id","state"]\n0,open\n1,closed\n';
    expect(shown("structural", "search_items", `Found:\n${INDENTED}`)).toStartWith(`Found:\n${table}`);
    const text = `Found:\n${INDENTED}\n`;
    const { messages } = compact(result("Bash", text), { level: "structural", references: true });
    expect(messages[1]?.content).toStartWith(`Found:\n§indented by 2 blanks\n${table}`);
    expect(expand(messages, { references: true })[1]?.content).toBe(text);
  });

  test.each([
    "Exit code: 0\nWall time: 0.2 seconds\nOutput:\n",
    "Chunk ID: 7f\nWall time: 0.2 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n",
  ])("becomes a table after lines that introduce a command's output: %j", (lead) => {
    for (const text of [JSON.stringify(ROWS), ROWS.map((row) => JSON.stringify(row)).join("\n")]) {
      const { messages } = compact(result("Bash", lead + text), { level: "structural", references: true });
      expect(messages[1]?.content).toStartWith(lead);
      expect(messages[1]?.content).toContain('{"§cols":["id","state"]\n0,open\n1,closed\n');
      expect(expand(messages, { references: true })[1]?.content).toBe(lead + text);
    }
  });

  const HEAD =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Tue, 17 Nov 2026 10:00:00 GMT\r\n\r\n";
  test.each([
    ["of curl -i", HEAD],
    ["of a newer version", HEAD.replace("1.1 200 OK", "2 200 ").replaceAll("\r", "")],
    ["after that of a proxy", `HTTP/1.1 200 Connection established\r\n\r\n${HEAD}`],
  ])("becomes a table after the head of an HTTP response: %s", (_, head) => {
    for (const text of [head + JSON.stringify(ROWS), head + INDENTED]) {
      const { messages } = compact(result("Bash", text), { level: "structural", references: true });
      expect(messages[1]?.content).toStartWith(head);
      expect(messages[1]?.content).toContain('{"§cols":["id","state"]\n0,open\n1,closed\n');
      expect(expand(messages, { references: true })[1]?.content).toBe(text);
    }
    expect(shown("safe", "search_items", head + INDENTED)).toBe(head + JSON.stringify(ROWS));
  });

  test.each(["HTTP/1.1 200 OK\n", "HTTP/2 200 (123 ms)\n\n", "HTTP/1.1 200 OK, 20 rows:\n"])(
    "becomes a table after an HTTP status line: %j",
    (line) => {
      for (const text of [line + JSON.stringify(ROWS), line + INDENTED]) {
        const { messages } = compact(result("Bash", text), { level: "structural", references: true });
        expect(messages[1]?.content).toContain('{"§cols":["id","state"]\n0,open\n1,closed\n');
      }
      expect(shown("safe", "search_items", line + INDENTED)).toBe(line + JSON.stringify(ROWS));
    },
  );

  test.each([
    ["a head with no end", "safe", "search_items", `${HEAD.trimEnd()}\r\n${INDENTED}`],
    [
      "a head with other lines in it",
      "safe",
      "search_items",
      `${HEAD.replace("Date: ", "It is ")}${INDENTED}`,
    ],
    ["a head of a file", "structural", "Read", HEAD + INDENTED],
    ["a shell, at the level safe", "safe", "Bash", `Found:\n${INDENTED}`],
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
