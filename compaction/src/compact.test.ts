import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { roundsOfRun } from "../../test/rounds-of-run.ts";
import { expand } from "../expand/expand.ts";
import { compact } from "./compact.ts";
import { type CompactionOptions, LEAST_GAIN_TOKENS, STEPS } from "./compaction.ts";
import type { ChatMessage } from "./message.ts";
import { messageTokens } from "./message-size.ts";
import { wholeText } from "./message-text.ts";
import { canonical, type Results } from "./testing/canonical-testing.ts";
import { conversations } from "./testing/conversation-testing.ts";
import { outputConversations } from "./testing/outputs-testing.ts";

const STRUCTURAL: CompactionOptions = { level: "structural", references: true };
const LEVELS: readonly CompactionOptions[] = [
  { level: "safe", references: true },
  STRUCTURAL,
  { level: "structural", references: false },
];

function forAll(check: (messages: ChatMessage[], options: CompactionOptions) => void): void {
  const any = fc.oneof(conversations(), outputConversations());
  fc.assert(fc.property(any, fc.constantFrom(...LEVELS), check), { numRuns: roundsOfRun(500) });
}

/** The tools of these conversations. Results of any other are cleaned as little as a file. */
const RESULTS: Readonly<Record<string, Results>> = {
  Bash: "shell",
  Grep: "search",
  get_it: "data",
  get_orders: "data",
};

/** The kind of result, by its call: if several calls of a conversation share an id, results belong to them in order. */
function resultsOf(messages: readonly ChatMessage[], message: ChatMessage): Results {
  if (message.role !== "tool") return "file";
  const { toolCallId: id } = message;
  const calls = messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []));
  const answers = messages.filter((one) => one.role === "tool" && one.toolCallId === id);
  const call = calls.filter((one) => one.id === id)[answers.indexOf(message)];
  return RESULTS[call?.name ?? ""] ?? "file";
}

const textOf = ({ content }: ChatMessage): string => (content === null ? "" : wholeText(content));

/** How clients write line numbers; what follows is the line. */
const NUMBERED = [/^ *\d+→/, /^ *\d*\t/, /^ *\d+: /];

/** Lines in a row that are not ours. */
function runsOf(text: string): string[][] {
  const runs: string[][] = [[]];
  for (const line of text.split("\n")) {
    if (line.includes("§")) runs.push([]);
    else runs.at(-1)?.push(line);
  }
  return runs.filter((run) => run.length > 0);
}

describe("compact", () => {
  test("compacted messages can be expanded again, except for the declared normalisations", () => {
    forAll((messages, options) => {
      const { messages: shown } = compact(messages, options);
      const expanded = options.level === "safe" ? shown : expand(shown, options);
      for (const [at, message] of messages.entries()) {
        const results = resultsOf(messages, message);
        const [read, original] = canonical(textOf(expanded[at] as ChatMessage), textOf(message), results);
        expect(read).toBe(original);
      }
    });
  });

  test("the beginning of a conversation has the same form as in the whole, at every cut", () => {
    forAll((messages, options) => {
      const whole = compact(messages, options).messages;
      for (let cut = 0; cut < messages.length; cut++) {
        expect(compact(messages.slice(0, cut), options).messages).toEqual(whole.slice(0, cut));
      }
    });
  });

  test("nothing is remembered from one conversation to the next", () => {
    fc.assert(
      fc.property(conversations(), conversations(), fc.constantFrom(...LEVELS), (one, other, options) => {
        const first = compact(one, options);
        compact(other, options);
        expect(compact(one, options)).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });

  test("a fixed message stays unchanged, and the form of others is the same at every cut", () => {
    forAll((messages, options) => {
      const fixed = new Set([...messages.keys()].filter((at) => at % 3 === 0));
      const isFixed = (at: number) => fixed.has(at);
      const { messages: shown, changed } = compact(messages, { ...options, isFixed });
      expect(changed.some(isFixed)).toBe(false);
      for (const at of fixed) expect(shown[at]).toEqual(messages[at] as ChatMessage);
      for (let cut = 0; cut < messages.length; cut++) {
        const beginning = compact(messages.slice(0, cut), { ...options, isFixed }).messages;
        expect(beginning).toEqual(shown.slice(0, cut));
      }
    });
  });

  const text = Array.from({ length: 40 }, (_, line) => `Line ${line} of what the command said.`).join("\n");
  const result = (id: string): ChatMessage[] => [
    { role: "assistant", content: null, toolCalls: [{ id, name: "shell", arguments: "{}" }] },
    { role: "tool", toolCallId: id, content: text },
  ];

  test("a fixed message may be referred to", () => {
    const messages = [...result("a"), ...result("b")];
    const { messages: shown, changed } = compact(messages, { ...STRUCTURAL, isFixed: (at) => at < 2 });
    expect([changed, shown[1]]).toEqual([[3], messages[1]]);
    expect(shown[3]?.content).toStartWith("§same as shell from `Line 0 of what` to");
    expect(compact(messages, { ...STRUCTURAL, isFixed: (at) => at === 3 }).changed).toEqual([]);
  });

  test("a message that was put together stays unchanged, and nothing refers to it", () => {
    const messages = [...result("a"), ...result("b"), ...result("c")];
    expect(compact(messages, STRUCTURAL).changed).toEqual([3, 5]);
    const options = { ...STRUCTURAL, isPutTogether: (at: number) => at === 1 };
    const { messages: shown, changed } = compact(messages, options);
    expect(changed).toEqual([5]);
    expect(compact(messages.slice(0, 4), options).messages).toEqual(shown.slice(0, 4));
    expect(compact(messages, { ...options, isPutTogether: () => true }).changed).toEqual([]);
  });

  test("only the content of tool messages changes; all other messages are the same objects", () => {
    forAll((messages, options) => {
      const { messages: shown, changed } = compact(messages, options);
      expect(shown.length).toBe(messages.length);
      for (const [at, message] of messages.entries()) {
        const other = shown[at] as ChatMessage;
        if (message.role !== "tool" || !changed.includes(at)) expect(other).toBe(message);
        expect({ ...other, content: null } as unknown).toEqual({ ...message, content: null });
      }
    });
  });

  test("an exact-match edit applies: what a model copies of a file, without its numbers, is in the file", () => {
    let runs = 0;
    forAll((messages, options) => {
      const { messages: shown, changed } = compact(messages, options);
      for (const at of changed) {
        const message = messages[at] as ChatMessage;
        const lines = textOf(message).split("\n");
        const sign = NUMBERED.find((one) => lines.every((line) => one.test(line) && /^ *\d/.test(line)));
        const isPlain = !lines.some((line) => /^ *\d/.test(line));
        if (resultsOf(messages, message) !== "file" || (sign === undefined && !isPlain)) continue;
        // What looks like a mark is changed, as declared.
        const plain = (line: string) =>
          (sign === undefined ? line : line.replace(sign, "")).replaceAll(/§ ?(?=same|lines|each|cols)/g, "");
        const file = `\n${lines.map(plain).join("\n")}\n`;
        for (const run of runsOf(textOf(shown[at] as ChatMessage))) {
          runs++;
          expect(file).toContain(`\n${run.map(plain).join("\n")}\n`);
        }
      }
    });
    expect(runs).toBeGreaterThan(20);
  });

  test("no message grows, and the reported tokens are correct", () => {
    forAll((messages, options) => {
      const compaction = compact(messages, options);
      const sum = (all: readonly ChatMessage[]) =>
        all.reduce((tokens, one) => tokens + messageTokens(one), 0);
      for (const at of compaction.changed) {
        const [before, after] = [messages[at], compaction.messages[at]].map((one) =>
          messageTokens(one as ChatMessage),
        );
        const least = compaction.actions.includes("escaped_marks") ? 0 : LEAST_GAIN_TOKENS;
        expect(after).toBeLessThanOrEqual((before as number) - least);
      }
      expect(compaction.originalTokens).toBe(sum(messages));
      expect(compaction.compactedTokens).toBe(sum(compaction.messages));
      expect(compaction.tokensSaved).toBe(compaction.originalTokens - compaction.compactedTokens);
      expect(compaction.changed.length === 0).toBe(compaction.actions.length === 0);
    });
  });

  test("content parts stay the same, except for their texts", () => {
    const text = Array.from({ length: 40 }, (_, at) => `${String(at + 1).padStart(6)}→line ${at}`).join("\n");
    const image = { type: "image", url: "data:image/png;base64,AA==" } as const;
    const part = { type: "text", text, cache: true } as const;
    const messages: ChatMessage[] = [{ role: "tool", toolCallId: "t", content: [image, part, image] }];
    const [shown] = compact(messages, { level: "safe", references: true }).messages;
    expect(shown).toEqual({
      role: "tool",
      toolCallId: "t",
      content: [image, { ...part, text: text.replaceAll(/^ +/gm, "") }, image],
    });
    expect(shown?.content?.[0]).toBe(image);
  });

  test("a chat without anything to save is returned unchanged", () => {
    const messages: ChatMessage[] = [
      { role: "user", content: "Where is the harbour?" },
      { role: "assistant", content: "Behind the old town." },
    ];
    for (const options of [...LEVELS, { level: "off", references: true } as const]) {
      expect(compact(messages, options)).toMatchObject({ changed: [], tokensSaved: 0, actions: [] });
      expect(compact(messages, options).messages).toBe(messages);
    }
  });

  test("the conversations of these tests use every step", () => {
    const seen = new Set<string>();
    for (const messages of fc.sample(conversations(), { numRuns: 600, seed: 5 })) {
      for (const action of compact(messages, STRUCTURAL).actions) seen.add(action);
    }
    expect([...seen].sort()).toEqual([...STEPS].sort());
  });
});
