import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../providers/index.ts";
import { compact } from "../compact.ts";
import { expand } from "../testing/expand-testing.ts";

const OPTIONS = { level: "structural", references: true } as const;
const LINES = Array.from({ length: 40 }, (_, at) =>
  at % 9 === 8 ? "" : `${"  ".repeat(at % 3)}const value${at} = compute(${at * 7});`,
);
const EDITED = LINES.toSpliced(20, 0, "const added = 1;");

type Gutter = (number: number) => string;
const numbered = (lines: readonly string[], gutter: Gutter, first = 1) =>
  lines.map((line, at) => gutter(first + at) + line).join("\n");

function reads(...texts: readonly string[]): ChatMessage[] {
  return texts.flatMap((content, at): ChatMessage[] => [
    {
      role: "assistant",
      content: null,
      toolCalls: [{ id: `${at}`, name: "read_file", arguments: '{"path":"./a.ts"}' }],
    },
    { role: "tool", toolCallId: `${at}`, content },
  ]);
}

/** What the last of them is shown as; all of them are read back to the letter. */
function last(...texts: readonly string[]): unknown {
  const messages = reads(...texts);
  const shown = compact(messages, OPTIONS).messages;
  expect(expand(shown, OPTIONS)).toEqual(messages);
  return shown.at(-1)?.content;
}

describe("lines whose numbers stay", () => {
  test.each<[string, Gutter, string, string]>([
    ["zeros", (number) => `${String(number).padStart(5, "0")}| `, "00001-00020|", "00022-00041|"],
    ["a colon and a blank", (number) => `${number}: `, "1-20:", "22-41:"],
    ["a letter", (number) => `L${number}: `, "L1-20:", "L22-41:"],
    ["a bar behind a blank", (number) => `${number} | `, "1-20 |", "22-41 |"],
    [
      "a bar behind a blank, padded",
      (number) => `${String(number).padStart(4)} | `,
      "   1-20 |",
      "  22-41 |",
    ],
    ["a colon", (number) => `${number}:`, "1-20:", "22-41:"],
  ])("are found under other numbers: %s", (_, gutter, before, behind) => {
    expect(last(numbered(LINES, gutter), numbered(EDITED, gutter))).toBe(
      [
        `${before}§same as in read_file "./a.ts"`,
        `${gutter(21)}const added = 1;`,
        `${behind}§same as lines 21-40 of read_file "./a.ts"`,
      ].join("\n"),
    );
  });

  test("are found around what a tool says of them, and where they grow longer than the first", () => {
    const shown = (first: number) => `<file>\n${numbered(LINES, (number) => `${number}: `, first)}\n</file>`;
    expect(last(shown(90), shown(95))).toBe(
      '<file>\n95-134:§same as lines 90-129 of read_file "./a.ts"\n</file>',
    );
  });

  test("are found however often a tool has shown them", () => {
    const texts = [LINES, EDITED, LINES, EDITED].map((lines) => numbered(lines, (number) => `L${number}: `));
    expect(
      last(
        ...texts,
        numbered(["", ...EDITED], (number) => `L${number}: `),
      ),
    ).toContain("§same as lines");
  });

  test("stay where they are all the model sees of them", () => {
    const text = numbered(LINES, (number) => `${number}: `);
    expect(last(text)).toBe(text);
  });

  test.each<[string, (lines: readonly string[], first: number) => string]>([
    [
      "keys of records",
      (lines, first) =>
        numbered(
          lines.map((line, at) => line.trim() || `${at}`),
          (at) => `${at}: `,
          first,
        ),
    ],
    [
      "numbers that say nothing of a line alone",
      (lines, first) => `${first + 3}: again\n${numbered(lines, (at) => `${at}: `, first)}`,
    ],
    [
      "numbers that are written in two ways",
      (lines, first) => numbered(lines, (at) => `${at % 2 ? "" : "0"}${at}: `, first),
    ],
    [
      "those of a fence as well",
      (lines, first) => {
        const text = numbered(lines, (at) => `${at}: `, first);
        return `\`\`\`ts\n${text}\n\`\`\`\n${text}`;
      },
    ],
    [
      "few lines of many",
      (lines, first) => numbered(lines, (at) => `${at}: `, first) + "\nand so on".repeat(90),
    ],
  ])("are no line numbers: %s", (_, write) => {
    expect(last(write(LINES, 1), write(LINES, 3))).not.toContain("§same as lines");
  });
});
