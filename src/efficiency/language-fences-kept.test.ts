import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatMessage } from "../providers/index.ts";
import { compact } from "./compact.ts";
import type { CompactionOptions } from "./compaction.ts";

const LEVELS: readonly CompactionOptions[] = [
  { level: "safe", references: true },
  { level: "structural", references: true, fences: true },
  { level: "structural", references: false, fences: true },
];

/** Whatever is said in it, no other fence that stands in it closes it. */
function languageFence(): fc.Arbitrary<string> {
  const line = fc.constantFrom(
    "     7→const seven = 7;",
    "     8→const eight = 8;",
    "     9→const nine = 9;",
    "\x1b[31mred\x1b[0m",
    "10 %\r100 %",
    "§same as it was",
    '{ "a": 1 }',
    "```",
    "~~~",
    "```ts",
    "    ``````",
  );
  return fc
    .record({
      lines: fc.array(line, { minLength: 3, maxLength: 30 }),
      sign: fc.constantFrom("````", "~~~~", "`````"),
      indent: fc.constantFrom("", " ", "   "),
      more: fc.constantFrom("", "``", " \t"),
    })
    .map(({ lines, sign, indent, more }) => {
      const close = sign.startsWith("~") && more === "``" ? `${sign}~` : sign + more;
      return `${indent}${sign}ts\n${lines.join("\n")}\n${indent}${close}`;
    });
}

/** What stands before it, with a fence of its own or not. */
const BEFORE = ["\x1b[1mbold\x1b[0m", "```\nplain\n```", "~~~json\n```\n~~~~", "```code``` in a line"];

describe("a fence in some language", () => {
  test("stays to the letter, whoever says it and whatever stands around it", () => {
    const tool = fc.constantFrom("Read", "Bash", "get_it", "unheard_of");
    fc.assert(
      fc.property(
        languageFence(),
        fc.constantFrom(...BEFORE),
        fc.array(tool, { maxLength: 4 }),
        fc.constantFrom(...LEVELS),
        (text, before, tools, options) => {
          const said = `${before}\n${text}`;
          const messages: ChatMessage[] = tools.flatMap((name, at) => [
            { role: "user", content: said },
            {
              role: "assistant",
              content: `${said}\n${at}`,
              toolCalls: [{ id: `${at}`, name, arguments: "{}" }],
            },
            { role: "tool", toolCallId: `${at}`, content: `${said}\n${text}` },
          ]);
          for (const { content } of compact(messages, options).messages) expect(content).toContain(text);
        },
      ),
    );
  });

  test("of a tool keeps its numbers and their padding where a shorter fence stands in it", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `${String(at + 1).padStart(6)}→value = ${at}`);
    const content = `\`\`\`\`python\nprint("""\n\`\`\`\n${lines.join("\n")}\n\`\`\`\n""")\n\`\`\`\``;
    const messages: ChatMessage[] = [{ role: "tool", toolCallId: "1", content }];
    for (const options of LEVELS) expect(compact(messages, options).messages).toBe(messages);
  });
});
