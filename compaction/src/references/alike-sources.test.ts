import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { expand } from "../../expand/expand.ts";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";

const OPTIONS = { level: "structural", references: true } as const;

let calls = 0;
function resultOf(name: string, input: object, content: string): ChatMessage[] {
  const call = { id: `c${calls++}`, name, arguments: JSON.stringify(input) };
  return [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: call.id, content },
  ];
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at));
const padded = (at: number, size: number) => String(at).padStart(size, "0");

/** Lines that differ by only a digit or two. */
const ALIKE: Record<string, string[]> = {
  "clauses of a contract": lines(
    100,
    (at) => `Item ${padded(at, 3)}: the party of part shall pay a lot of it all.`,
  ),
  "names of samples": lines(
    80,
    (at) => `sample_${padded(at, 4)}.wav|the quick brown fox jumps over the lazy dog|en`,
  ),
  "entries of a log": lines(
    80,
    (at) => `2026-03-04T12:0${(at / 60) | 0}:${padded(at % 60, 2)}.000Z INFO  orders - processed batch ok`,
  ),
  "constants of a header": lines(
    60,
    (at) => `  static const int kCode${padded(at, 2)} = -1; // reserved for later use`,
  ),
  "buttons of a page": lines(
    60,
    (at) => `      - button "Add to cart" [ref=s1e${100 + at}] [cursor=pointer]`,
  ),
  "long lines": lines(40, (at) => `a word of ${padded(at, 3)}${" and some more of it".repeat(9)}, ${at % 2}`),
};

describe("nearly identical lines", () => {
  test.each(Object.entries(ALIKE))("are referred to after a new first line: %s", (_, text) => {
    const messages = [
      ...resultOf("browser_snapshot", {}, text.join("\n")),
      ...resultOf("browser_click", { ref: "s1e104" }, `Clicked\n${text.join("\n")}`),
    ];
    const { messages: shown, actions } = compact(messages, OPTIONS);
    expect(actions).toEqual(["block_references"]);
    expect(String(shown[3]?.content).length).toBeLessThan(220);
    expect(expand(shown, OPTIONS)).toEqual(messages);
  });

  test.each(Object.entries(ALIKE))("are referred to around a new line in their middle: %s", (_, text) => {
    const edited = [...text.slice(0, 30), "something else", ...text.slice(30)];
    const messages = [
      ...resultOf("open_document", { id: 1 }, text.join("\n")),
      ...resultOf("open_document", { id: 1 }, edited.join("\n")),
    ];
    const { messages: shown } = compact(messages, OPTIONS);
    expect(String(shown[3]?.content).length).toBeLessThan(420);
    expect(expand(shown, OPTIONS)).toEqual(messages);
  });
});

test("10,000 lines with colliding hashes are compacted within 1.5 seconds", () => {
  const collide = (at: number) =>
    [...padded(at % 1024, 10)].map((_, bit) => ((at >> bit) & 1 ? "abab" : "\u0161aab")).join("");
  const text = lines(10_000, (at) => `${collide(at)}${collide(at >> 3)} a line like any`).join("\n");
  const messages = [
    ...resultOf("Bash", {}, text),
    ...resultOf("Bash", {}, `x\n${text}`),
    ...resultOf("Bash", {}, text),
  ];
  expect(fastestMs(() => compact(messages, OPTIONS), 2)).toBeLessThan(1_500);
});
