import { expect, test } from "bun:test";
import { numbersLines } from "./numbers-lines.ts";

test.each([
  "cat -n a.ts",
  "cat a.ts -n",
  "cat -bA a.ts | head -n 40",
  "cat --number a.ts",
  "sed -n 1,80p a.ts | nl -ba",
  "nl a.ts",
  "cd src\nnl a.ts",
  "`nl -ba a.ts | sed -n '20,90p'`",
  "pr -tn a.ts",
  "less -N a.ts",
  "bat a.ts",
  "awk '{printf \"%6d\\t%s\\n\", NR, $0}' a.ts",
  "sed = a.ts | sed 'N;s/\\n/\\t/'",
  "sed -n '5,9{=;p}' a.ts",
  "head -5 a.ts; perl -ne 'print \"$.\\t$_\"' a.ts",
  "for i, line in enumerate(open('a.ts'), 1): print(f'{i:6}|{line}')",
])("lines may get numbers by %s", (command) => {
  expect(numbersLines(JSON.stringify({ command }))).toBe(true);
});

test.each([
  "cat nums.txt",
  "cat nums.txt; tail -n 5 b.txt",
  "cat nums.txt\nhead -n 5 b.txt",
  "cat nums.txt | head -n 40",
  "cat a-new.ts nl.txt.bak",
  "head -n 40 nums.txt",
  "sed -n '1,80p' nums.txt",
  "git show HEAD:nums.txt",
])("lines are shown as they are by %s", (command) => {
  expect(numbersLines(JSON.stringify({ command }))).toBe(false);
});

test("a command may be given word by word", () => {
  expect(numbersLines(JSON.stringify({ command: ["cat", "-n", "a.ts"] }))).toBe(true);
  expect(numbersLines(JSON.stringify({ command: ["cat", "nums.txt"] }))).toBe(false);
});
