import { describe, expect, test } from "bun:test";
import { compact, compactionSteps, LONGEST_READ, MOST_READ } from "./compact.ts";
import type { CompactionOptions } from "./compaction.ts";
import type { ChatMessage } from "./message.ts";
import { finishSteps } from "./steps.ts";

/** Much quicker than the estimate. */
const count = (text: string) => Math.ceil(text.length / 4);
const STRUCTURAL: CompactionOptions = { level: "structural", references: true, fences: true, count };
/** The characters that one step may count: those of a text, of its drafts, and of what is read with it. */
const MOST_OF_A_STEP = 5 * LONGEST_READ;

const rows = (size: number) =>
  `[${Array.from({ length: Math.ceil(size / 40) }, (_, at) => `{"id": ${at}, "name": "a name of the row"}`).join(", ")}]`;

/** A call and its result. */
function turn(id: string, content: string, input = "{}"): ChatMessage[] {
  return [
    { role: "assistant", content: null, toolCalls: [{ id, name: "get_it", arguments: input }] },
    { role: "tool", toolCallId: id, content },
  ];
}

/** The most characters that were counted without a pause, and the number of pauses. */
function watchSteps(messages: readonly ChatMessage[], options: CompactionOptions) {
  let counted = 0;
  let most = 0;
  let pauses = 0;
  const watched = (text: string) => {
    counted += text.length;
    return count(text);
  };
  const steps = compactionSteps(messages, { ...options, count: watched });
  for (;;) {
    const step = steps.next();
    most = Math.max(most, counted);
    counted = 0;
    if (step.done === true) return { most, pauses, compaction: step.value };
    pauses++;
  }
}

describe("a long message", () => {
  test("stays as it is above 300,000 characters, and nothing refers to it", () => {
    const long = rows(LONGEST_READ);
    const read = rows(LONGEST_READ / 2);
    const { messages, changed } = compact(
      [...turn("1", long), ...turn("2", long), ...turn("3", read), ...turn("4", read)],
      STRUCTURAL,
    );
    expect(changed).toEqual([5, 7]);
    expect(messages[7]).toEqual({ role: "tool", toolCallId: "4", content: "§same as get_it #3" });
  });

  test("counts with all of its parts, and with the arguments of its calls", () => {
    const half = "so it is said; ".repeat(LONGEST_READ / 30);
    const part = { type: "text", text: `${half}x` } as const;
    const wholes: ChatMessage[] = [
      { role: "user", content: [part, part] },
      { role: "assistant", content: part.text, toolCalls: [{ id: "1", name: "a", arguments: part.text }] },
    ];
    for (const whole of wholes) {
      const { changed } = compact([whole, ...turn("2", half), ...turn("3", half)], STRUCTURAL);
      // Not the first result, although its text stands in the long message.
      expect(changed).toEqual([4]);
    }
  });

  test("leaves its calls known: their results are of the same tool, and share no name with others", () => {
    const block = "a line of the result, which is long enough\n".repeat(20);
    const input = (size: number) => JSON.stringify({ path: "a.ts", text: "x".repeat(size) });
    const [long, result] = turn("1", block, input(LONGEST_READ));
    const { messages } = compact(
      [...[long as ChatMessage, result as ChatMessage], ...turn("2", "short", input(1)), ...turn("3", block)],
      STRUCTURAL,
    );
    expect(messages[5]).toMatchObject({ content: '§same as get_it "a.ts" #1' });
  });

  test("beyond ten million characters of a conversation is any message", () => {
    const { messages, changed } = compact(
      [
        { role: "user", content: "x".repeat(MOST_READ / 2) },
        ...turn("1", rows(1_000)),
        { role: "user", content: "x".repeat(MOST_READ / 2) },
        ...turn("2", rows(1_000)),
      ],
      STRUCTURAL,
    );
    expect(changed).toEqual([2]);
    expect(messages).toHaveLength(6);
  });

  test("has the same form at every cut of the conversation", () => {
    const messages = [
      ...turn("1", rows(3_000)),
      ...turn("2", rows(LONGEST_READ)),
      ...turn("3", rows(3_000)),
      { role: "user", content: "x".repeat(MOST_READ) } as const,
      ...turn("4", rows(3_000)),
    ];
    const whole = compact(messages, STRUCTURAL).messages;
    for (let cut = 1; cut < messages.length; cut++)
      expect(compact(messages.slice(0, cut), STRUCTURAL).messages).toEqual(whole.slice(0, cut));
  });
});

describe("compaction in steps", () => {
  const some = rows(LONGEST_READ / 2);
  const LONG: readonly (readonly [string, ChatMessage[]])[] = [
    ["many results", Array.from({ length: 6 }, (_, at) => turn(`${at}`, some + at)).flat()],
    ["one text", [{ role: "user", content: "so it is said; ".repeat(150_000) }, ...turn("1", some)]],
    [
      "many parts",
      [{ role: "user", content: Array(20_000).fill({ type: "text", text: "so it is said; ".repeat(4) }) }],
    ],
    [
      "arguments of many calls",
      [
        {
          ...{ role: "assistant", content: null },
          toolCalls: Array.from({ length: 12 }, (_, at) => ({ id: `${at}`, name: "a", arguments: some })),
        },
        ...turn("x", some),
      ],
    ],
    [
      "many texts before the first result",
      [...Array.from({ length: 12 }, () => ({ role: "user", content: some }) as const), ...turn("1", some)],
    ],
  ];

  test.each(LONG)("pauses before much is counted: %s", (_, messages) => {
    for (const level of ["off", "safe", "structural"] as const) {
      const { most, pauses, compaction } = watchSteps(messages, { ...STRUCTURAL, level });
      expect(most).toBeLessThan(MOST_OF_A_STEP);
      expect(pauses).toBeGreaterThan(4);
      expect(compaction).toEqual(compact(messages, { ...STRUCTURAL, level }));
    }
  });

  test("works on two conversations by turns as on one after the other", () => {
    const texts = [rows(2_000), rows(3_000)];
    const conversations = texts.map((text) => [
      ...turn("1", text),
      ...turn("2", text),
      ...turn("3", "x".repeat(500)),
    ]);
    const alone = conversations.map((messages) => compact(messages, STRUCTURAL));
    const running = conversations.map((messages) => compactionSteps(messages, STRUCTURAL));
    for (let round = 0; round < 3; round++) for (const steps of running) steps.next();
    expect(running.map(finishSteps)).toEqual(alone);
  });
});
