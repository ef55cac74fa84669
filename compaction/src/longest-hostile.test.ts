import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../test/fastest.ts";
import { compact, LONGEST_READ } from "./compact.ts";
import type { ChatMessage } from "./message.ts";

/** As long as a message that is read. */
const LONGEST = LONGEST_READ - 1_000;
/** As long as such a message may block others. */
const LONGEST_MS = 200;
const OPTIONS = { level: "structural", references: true, fences: true } as const;

describe("hostile text", () => {
  test.each([
    ...["\r", "\x1b", "a\r", "\x1b\n", "\n\r", "1%\r2%\r"],
    ...["\x1b[31ma\x1b[m\n\x1b[32mb\x1b[m\n", "\x1b[38;5;1ma\n"],
  ])("in the longest result of a shell that is read is compacted within 200 ms: %j", (unit) => {
    const content = `x\ny${unit.repeat(LONGEST / unit.length)}x\nz`;
    const messages: ChatMessage[] = [
      { role: "assistant", content: null, toolCalls: [{ id: "1", name: "Bash", arguments: "{}" }] },
      { role: "tool", toolCallId: "1", content },
    ];
    for (const level of ["safe", "structural"] as const)
      expect(fastestMs(() => compact(messages, { ...OPTIONS, level }), 5, LONGEST_MS)).toBeLessThan(
        LONGEST_MS,
      );
  });

  // In lines too long for any screen, and in lines that are read.
  test.each([
    ["1m", 100_000],
    ["1 minute", 100_000],
    ["1.5 MB", 100_000],
    ["abc ", 100_000],
    ["1m", 1_900],
    ["1h2m3s ", 1_900],
    ["step abc 1/9", 24],
  ])("in overwritten lines is compacted within 200 ms: %j to %d", (unit, size) => {
    const line = `${unit.repeat(size / unit.length)}\rb\n`;
    const content = `x\n${line.repeat(LONGEST / (size + 3))}end`;
    const messages: ChatMessage[] = [
      { role: "assistant", content: null, toolCalls: [{ id: "1", name: "Bash", arguments: "{}" }] },
      { role: "tool", toolCallId: "1", content },
    ];
    const run = () => compact(messages, { ...OPTIONS, level: "safe" });
    expect(fastestMs(run, 3, LONGEST_MS)).toBeLessThan(LONGEST_MS);
  });

  test.each([
    "\n",
    "\n\r",
    "(",
    "'",
    '"',
    "&",
    "|",
    "\\n",
    '"\\n',
    ";a=",
    "; w=w",
    "open(",
    "open(b) as f:\nprint(",
    ";perl -n '",
    ";perl -n \"';",
  ])("in the longest arguments of a shell that are read is compacted within 200 ms: %j", (unit) => {
    const signs = unit.repeat(LONGEST / JSON.stringify(unit).length);
    for (const input of [`${signs};curl x`, JSON.stringify({ command: `${signs};curl x` })]) {
      const messages: ChatMessage[] = [
        { role: "assistant", content: null, toolCalls: [{ id: "1", name: "Bash", arguments: input }] },
        { role: "tool", toolCallId: "1", content: "x".repeat(300) },
      ];
      const run = () => compact(messages, { ...OPTIONS, level: "safe" });
      expect(fastestMs(run, 5, LONGEST_MS)).toBeLessThan(LONGEST_MS);
    }
  });

  test.each(["§", "§s", "§same ", "a§b"])(
    "in the longest messages of section signs that are read is compacted within 200 ms: %s",
    (unit) => {
      const content = unit.repeat(LONGEST / unit.length);
      const call = { id: "1", name: "get_it", arguments: "{}" };
      const messages: ChatMessage[] = [
        { role: "assistant", content, toolCalls: [call] },
        { role: "tool", toolCallId: "1", content },
      ];
      expect(fastestMs(() => compact(messages, OPTIONS), 5, LONGEST_MS)).toBeLessThan(LONGEST_MS);
    },
  );
});
