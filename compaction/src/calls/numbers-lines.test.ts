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
  "cd src\ncat -n a.ts",
  "cd src\n\tcat -n a.ts",
  "cd src\nbat a.ts",
  "cd src\nless -N a.ts",
  "cd src\nsed = a.ts | sed 'N;s/\\n/\\t/'",
  "cat a.ts | sed -n '5,9p;5,9='",
  "/usr/bin/nl -ba a.ts",
  "cat a.ts | /usr/bin/nl",
  "cat a.ts | busybox nl",
  "head -50 a.ts | gawk '{print NR, $0}'",
  "cat a.ts | while read -r l; do printf '%6d\\t%s\\n' $((++n)) \"$l\"; done",
  "while read -r l; do cat a.ts; done",
  "cat a.ts | xargs -n1 nl",
  "cat a.ts | ./number.sh",
  "cat $options a.ts",
  "cat a.ts | grep -n ''",
  'cat "$(nl a.ts)"',
  "cat < <(nl a.ts)",
  "bash -c 'cat -n a.ts'",
  "bash -c \"cat a.ts; sh -c 'nl a.ts'\"",
  "git blame a.ts",
  "Get-Content a.ts | % { $i++; $i }",
  "for i, line in enumerate(open('a.ts'), 1): print(f'{i:6}|{line}')",
])("lines may be numbered by %j", (command) => {
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
  "cat src/node/a.ts python/a.txt",
  "cd bun && cat deno.json",
  "set -e\ncd src\nsed -n '5,9p;/^a=/,$p' nums.txt",
  "if [ -f nums.txt ]; then sudo cat nums.txt; fi",
  "cat nums.txt | grep -v foo | sort | head -5; echo; ls -la",
  "timeout 5 bash -lc 'cd src; tail -n +5 nums.txt'",
])("lines are shown as they are by %j", (command) => {
  expect(numbersLines(JSON.stringify({ command }))).toBe(false);
});

test("a command may be a list of words, or a command with arguments", () => {
  expect(numbersLines(JSON.stringify({ command: ["cat", "-n", "a.ts"] }))).toBe(true);
  expect(numbersLines(JSON.stringify({ command: ["cat", "nums.txt"] }))).toBe(false);
  expect(numbersLines(JSON.stringify({ command: "cat", args: ["-n", "a.ts"] }))).toBe(true);
});
