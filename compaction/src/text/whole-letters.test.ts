import { expect, test } from "bun:test";
import fc from "fast-check";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { expand } from "../../expand/expand.ts";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";

/** Characters of two code units, some of which share the first one. */
const LETTERS = ["😀", "😁", "🎉", "🚀", "𝒜", "𝔅", "👨‍👩‍👧", "a", " ", "é", "日"];

function lines(): fc.Arbitrary<string[]> {
  const words = fc.array(fc.tuple(fc.constantFrom(...LETTERS), fc.integer({ min: 1, max: 12 })), {
    minLength: 4,
    maxLength: 9,
  });
  const line = words.map((parts) => parts.map(([letter, times]) => letter.repeat(times)).join(""));
  return fc.array(line, { minLength: 6, maxLength: 14 });
}

/** JSON as written by a client that escapes everything but ASCII. */
function escaped(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function results(said: readonly string[], { name, isEscaped }: { name: string; isEscaped: boolean }) {
  const [first = "", second = ""] = said;
  return [said, [first, ...said.slice(2), second], said.slice(1)].flatMap((part, at): ChatMessage[] => {
    const json = JSON.stringify({ say: "a".repeat(at) + first + second });
    const call = { id: `${at}`, name, arguments: isEscaped ? escaped(json) : json };
    const answer = JSON.stringify({ at, said: part.join("\n") });
    return [
      { role: "assistant", content: `I say:\n${part.join("\n")}`, toolCalls: [call] },
      { role: "tool", toolCallId: `${at}`, content: `${at}\n${part.join("\n")}\nand so on` },
      { role: "tool", toolCallId: `${at}`, content: isEscaped ? escaped(answer) : answer },
    ];
  });
}

test("no character or escape is split, whatever is quoted in references", () => {
  const how = fc.record({ name: fc.constantFrom("Read", "Bash", "get_it"), isEscaped: fc.boolean() });
  fc.assert(
    fc.property(lines(), how, (said, { name, isEscaped }) => {
      const messages = results(said, { name, isEscaped });
      const { messages: shown } = compact(messages, { level: "structural", references: true });
      for (const { content } of shown) {
        expect(typeof content === "string" && content.isWellFormed()).toBe(true);
        expect(content).not.toMatch(/\\u[0-9a-f]{0,3}(?![0-9a-f])/);
        expect(content).not.toMatch(/`u[0-9a-f]{4}/);
      }
      expect(() => expand(shown, { references: true })).not.toThrow();
    }),
    { numRuns: roundsOfRun(300) },
  );
});
