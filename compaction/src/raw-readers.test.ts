import { expect, test } from "bun:test";
import { compact } from "./compact.ts";
import type { ChatMessage } from "./message.ts";

const CODE = [..."abcdefgh"].flatMap((name) => [`function ${name}() {`, `  return ${name};`, "}", ""]);
const RAW = CODE.join("\n");
const padded = CODE.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n");
const numbered = CODE.map((line, at) => `${at + 1}\t${line}`).join("\n");

type Read = { readonly text: string; readonly name?: string; readonly input?: object };

function conversationOf(reads: readonly Read[]): ChatMessage[] {
  return reads.flatMap(({ text, name = "read", input = { path: "a.ts" } }, at): ChatMessage[] => [
    {
      role: "assistant",
      content: null,
      toolCalls: [{ id: `${at}`, name, arguments: JSON.stringify(input) }],
    },
    { role: "tool", toolCallId: `${at}`, content: text },
  ]);
}

/** Whether the last of these results is left unchanged. */
function isKept(reads: readonly Read[], level: "safe" | "structural" = "safe"): boolean {
  const messages = conversationOf(reads);
  return compact(messages, { level, references: false }).messages.at(-1) === messages.at(-1);
}

const raw = { text: RAW };

test.each(["safe", "structural"] as const)(
  "numbers in a file stay if the tool has shown files without numbers, at the level %s",
  (level) => {
    expect(isKept([raw, raw, { text: padded }], level)).toBe(true);
    expect(isKept([{ text: padded }], level)).toBe(false);
  },
);

test("numbers from 1 on stay, too, if the tool has shown files without numbers", () => {
  const list = Array.from({ length: 40 }, (_, at) => `${at + 1}\tapple number ${at}`).join("\n");
  expect(isKept([raw, raw, { text: list }], "structural")).toBe(true);
  expect(isKept([{ text: list }], "structural")).toBe(false);
});

test.each<[string, readonly Read[]]>([
  ["once", [raw]],
  ["by another tool", [raw, { ...raw, name: "view" }]],
  ["of a few lines", [raw, { text: `${"x".repeat(200)}\na\nb\n` }]],
  ["without the name of a file", [raw, { ...raw, input: { path: "/srv/app" } }]],
  ["besides as many with numbers", [raw, raw, { text: padded }, { text: numbered }]],
])("numbers are still compacted after a file without numbers %s", (_, before) => {
  expect(isKept([...before, { text: padded }])).toBe(false);
});

test("numbers stay if only a few files had numbers among many without", () => {
  const before = Array.from({ length: 8 }, () => raw);
  expect(isKept([...before, { text: padded }, { text: numbered }, { text: padded }])).toBe(true);
});

test("the form of a file depends only on the files before it", () => {
  const before = [raw, { text: padded }, raw, raw, raw];
  const messages = conversationOf([...before, { text: padded }, { text: padded }, { text: padded }]);
  const whole = compact(messages, { level: "safe", references: true }).messages;
  expect(whole).not.toEqual(messages);
  for (let end = 1; end < messages.length; end++) {
    const { messages: part } = compact(messages.slice(0, end), { level: "safe", references: true });
    expect(part).toEqual(whole.slice(0, end));
  }
});
