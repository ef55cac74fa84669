import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compact } from "../compact.ts";
import type { CompactionOptions } from "../compaction.ts";
import type { ChatMessage } from "../message.ts";

const LEVELS: readonly CompactionOptions[] = [
  { level: "safe", references: true },
  { level: "structural", references: true, fences: true },
  { level: "structural", references: false, fences: true },
];

/** Whatever its lines are, no other fence inside closes it. */
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
      quote: fc.constantFrom("", "", "> ", ">> "),
    })
    .map(({ lines, sign, indent, more, quote }) => {
      const close = sign.startsWith("~") && more === "``" ? `${sign}~` : sign + more;
      const fence = [`${indent}${sign}ts`, ...lines, `${indent}${close}`];
      return fence.map((line) => quote + line).join("\n");
    });
}

/** Text before it, with or without its own fence. */
const BEFORE = ["\x1b[1mbold\x1b[0m", "```\nplain\n```", "~~~json\n```\n~~~~", "```code``` in a line"];

describe("a fence in a programming language", () => {
  test("stays exactly as it is, in any message and whatever is around it", () => {
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

  test("of a tool keeps its padded numbers even if it contains a shorter fence", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `${String(at + 1).padStart(6)}→value = ${at}`);
    const content = `\`\`\`\`python\nprint("""\n\`\`\`\n${lines.join("\n")}\n\`\`\`\n""")\n\`\`\`\``;
    const messages: ChatMessage[] = [{ role: "tool", toolCallId: "1", content }];
    for (const options of LEVELS) expect(compact(messages, options).messages).toBe(messages);
  });

  const CODE = Array.from(
    { length: 14 },
    (_, at) => `    total_${at} = compute(total_${at}, rate=${at * 3})`,
  );

  test.each([
    ["first in the text", (fence: string) => JSON.stringify({ answer: fence, n: 1 })],
    ["after words", (fence: string) => JSON.stringify({ answer: `# Guide\n\n${fence}\n\nDone.`, n: 1 })],
    [
      "after another fence",
      (fence: string) => JSON.stringify({ answer: `\`\`\`\na\n\`\`\`\n${fence}\n`, n: 1 }),
    ],
    ["in a quotation", (fence: string) => JSON.stringify([`It said:\n${fence.replaceAll(/^/gm, "> ")}`])],
    ["with carriage returns", (fence: string) => JSON.stringify([fence.replaceAll("\n", "\r\n")])],
    ["in a Python literal", (fence: string) => `[{'code': '${fence.replaceAll("\n", "\\n")}'}]`],
  ])("stays unchanged in a quoted text, %s", (_, quote) => {
    for (const sign of ["```", "~~~~"]) {
      const fence = `${sign}python\n${CODE.join("\n")}\n${sign}`;
      const said = quote(fence);
      const call = (id: string, name: string) => ({ id, name, arguments: `{"id":"${id}"}` });
      const messages: ChatMessage[] = [
        { role: "assistant", content: CODE.join("\n"), toolCalls: [call("1", "Read"), call("2", "get_it")] },
        { role: "tool", toolCallId: "1", content: CODE.join("\n") },
        { role: "tool", toolCallId: "1", content: CODE.map((line) => `> ${line}`).join("\n") },
        { role: "tool", toolCallId: "2", content: said },
        { role: "tool", toolCallId: "2", content: said },
        { role: "assistant", content: said },
      ];
      const { messages: shown } = compact(messages, { level: "structural", references: true });
      for (const at of [3, 4, 5]) expect(shown[at]?.content).toBe(said);
    }
  });
});
