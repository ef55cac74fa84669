import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../providers/index.ts";
import { compact } from "./compact.ts";
import { expand } from "./testing/expand-testing.ts";

const OPTIONS = { level: "structural", references: true } as const;
const LINES = Array.from({ length: 30 }, (_, at) => `  option_${at}: "the value of option ${at}",`).join(
  "\n",
);
const ASKED: ChatMessage = { role: "user", content: `My settings:\n${LINES}\nShow them.` };

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

function answered(answer: Omit<Assistant, "role">): { shown: unknown; changed: readonly number[] } {
  const messages: ChatMessage[] = [ASKED, { role: "assistant", ...answer }];
  const { messages: shown, changed } = compact(messages, OPTIONS);
  expect(expand(shown, OPTIONS)).toEqual(messages);
  return { shown: shown[1]?.content, changed };
}

describe("an assistant message", () => {
  const content = `Here they are:\n${LINES}\nAnd now the next step.`;
  test("refers to what came before", () => {
    expect(answered({ content }).shown).toContain("§same as user message from");
    expect(answered({ content, reasoning: [{ text: "Show." }] }).changed).toEqual([1]);
  });

  test.each(["anthropic/reasoning@1640:x", "google/answer:x", "openai:@1640;:x", "anthropic/reasoning:x"])(
    "stays unchanged if its provider signed its reasoning: %s",
    (signature) => {
      const reasoning = [{ text: "First." }, { text: "Second.", signature }];
      expect(answered({ content, reasoning }).changed).toEqual([]);
      expect(answered({ content: `§same as ${content}`, reasoning }).changed).toEqual([]);
    },
  );

  test.each([
    [
      "tags",
      `I write it.\n<write_to_file>\n<path>a.ts</path>\n<content>\n${LINES}\n</content>\n</write_to_file>`,
    ],
    ["a tag on its line", `<tool_call>{"text":\n${LINES}\n}</tool_call>`],
    ["a named function", `  <function=write>\n${LINES}`],
    ["signs of a model", `${LINES}\n<|tool_calls_begin|>`],
    ["wide signs of a model", `${LINES}\n<｜tool▁calls▁begin｜>`],
    ["reasoning", `<think>They gave me\n${LINES}</think>Done.`],
    ["the end of reasoning", `${LINES}\nso it is. </thinking> Done.`],
    ["a search", `a.ts\n<<<<<<< SEARCH\n${LINES}\n=======\n${LINES}\n>>>>>>> REPLACE\n`],
    ["a search of another kind", `------- SEARCH\n${LINES}\n=======\n+++++++ REPLACE`],
    [
      "an action in words",
      `Thought: I write it.\nAction: write_file\nAction Input: a.ts\n${LINES}\nObservation:`,
    ],
    ["the input of an action", `  Action Input: a.ts\n${LINES}`],
    ["calls that a model lists", `[TOOL_CALLS][{"name":"write","arguments":{"text":\n${LINES}\n}}]`],
    ["a whole file under its name", `Here it is:\n\nsrc/a.ts\n\`\`\`\n${LINES}\n\`\`\``],
    ["calls after words", `I write it.\n[TOOL_CALLS]write[ARGS]{"text":\n${LINES}\n}`],
    ["an action with its input below", `Action:\n\`\`\`json\n{"action":"write","text":"\n${LINES}"}\n\`\`\``],
    ["a whole file of data under its name", `settings.json\n\`\`\`json\n${LINES}\n\`\`\``],
    ["a whole file under its name in bold", `**Makefile**:\r\n~~~~\r\n${LINES}\n~~~~`],
    ["a patch", `*** Begin Patch\n*** Update File: a.ts\n${LINES}\n*** End Patch`],
  ])("stays unchanged if it acts or reasons with %s", (_, said) => {
    expect(answered({ content: said }).changed).toEqual([]);
    expect(answered({ content: `${said}\n§same as it was` }).changed).toEqual([]);
  });

  test.each([
    ["an object", (text: string) => ({ name: "write", text })],
    ["a list", (text: string) => [{ id: 1, text }]],
  ])("stays unchanged if it is %s of JSON, which a program may read", (_, say) => {
    const first: ChatMessage = { role: "assistant", content: `${JSON.stringify(say(LINES))}\n` };
    const messages: ChatMessage[] = [
      ASKED,
      first,
      { role: "assistant", content: JSON.stringify(say(LINES)) },
    ];
    expect(compact(messages, OPTIONS).changed).toEqual([]);
    const behindWords: ChatMessage = { role: "assistant", content: `Here:\n${JSON.stringify(say(LINES))}` };
    expect(compact([...messages, behindWords], OPTIONS).changed).toEqual([3]);
  });

  test.each([
    ["a fence under words", `The new version:\n\`\`\`\n${LINES}\n\`\`\``],
    ["a fence away from a name", `See a.ts\n\n\`\`\`\n${LINES}\n\`\`\``],
    ["a fence under a heading", `### Node.js\n\`\`\`\n${LINES}\n\`\`\``],
    ["a fence under a version", `1.5\n\`\`\`\n${LINES}\n\`\`\``],
    ["a fence under a host", `example.com:\n\`\`\`\n${LINES}\n\`\`\``],
    ["an action within a line", `The next Action: none.\n${LINES}`],
    ["a sentence that begins like an action", `Action: none needed from you.\n${LINES}`],
    ["a word for calls", `The template has [TOOL_CALLS] in it.\n${LINES}`],
    ["brackets", `{${LINES}}`],
    ["a comparison", `a < b and\n${LINES}\n<= 5`],
    ["a rule", `---\n${LINES}\n---`],
    ["stars", `***\n${LINES}\n*** done`],
  ])("is still compacted with %s", (_, said) => {
    expect(answered({ content: said }).changed).toEqual([1]);
  });

  test("that stays unchanged may be referred to", () => {
    const messages: ChatMessage[] = [
      { role: "assistant", content: `<think>${LINES}</think>` },
      { role: "assistant", content: `Again:\n${LINES}` },
    ];
    expect(compact(messages, OPTIONS).messages[1]?.content).toContain("§same as assistant message from");
  });
});
