import { test } from "bun:test";
import { type SourceFile, testFiles } from "./source-tree.ts";
import { codeOf, type Token } from "./tokens.ts";
import { expectNone } from "./violation.ts";

const MOST_SLEEP_MS = 100;
const SLEEPERS = ["sleep", "sleepSync", "setTimeout", "delay"];
/** What precedes a statement that begins with a call; `)` ends the head of an `if` or a loop. */
const STATEMENT_ENDS = [";", "{", "}", ")", "else"];
const WAKERS = ["resolve", "done", "wake", "ok"];

test("no test is skipped or run alone", () => {
  const wrong = testFiles.flatMap((file) =>
    codeOf(file).flatMap((token, at, code) => {
      const isMark = ["only", "skip", "todo", "failing"].includes(token.text) && code[at - 1]?.text === ".";
      const isOnTest = ["test", "it", "describe"].includes(code[at - 2]?.text ?? "");
      const what = `${code[at - 2]?.text}.${token.text}`;
      return isMark && isOnTest ? [{ path: file.path, line: token.line, what }] : [];
    }),
  );
  expectNone(
    wrong,
    "Mend the test or remove it; where a machine cannot run it, use skipIf with a printed reason.",
  );
});

test("no test sleeps for a tenth of a second or more", () => {
  const wrong = testFiles.flatMap((file) =>
    codeOf(file).flatMap((token, at, code) => {
      const sleepMs = token.kind === "word" && SLEEPERS.includes(token.text) ? sleepOf(file, code, at) : 0;
      return sleepMs >= MOST_SLEEP_MS
        ? [{ path: file.path, line: token.line, what: `sleeps ${sleepMs} ms` }]
        : [];
    }),
  );
  expectNone(
    wrong,
    "Move the clock (advanceClock) or wait for the event; a sleep is slow and still guesses.",
  );
});

test("no test replaces Bun.sleep", () => {
  const wrong = testFiles.flatMap((file) =>
    codeOf(file).flatMap((token, at, code) => {
      const [, of, comma, what] = code.slice(at + 1, at + 5).map(({ text }) => text);
      const isSleep = token.text === "spyOn" && of === "Bun" && comma === "," && what?.includes("sleep");
      return isSleep ? [{ path: file.path, line: token.line, what: 'spyOn(Bun, "sleep")' }] : [];
    }),
  );
  expectNone(
    wrong,
    "Hand the pause in: what another test left behind and tries again would spin, and nothing else would run.",
  );
});

test("every expectation on a promise is awaited", () => {
  const wrong = testFiles.flatMap((file) =>
    codeOf(file).flatMap((token, at, code) => {
      const isPromised = ["rejects", "resolves"].includes(token.text) && code[at - 1]?.text === ".";
      const start = isPromised ? startOfExpect(code, at - 2) : -1;
      const isStatement = start >= 0 && STATEMENT_ENDS.includes(code[start - 1]?.text ?? ";");
      return isStatement ? [{ path: file.path, line: token.line, what: `expect(…).${token.text}` }] : [];
    }),
  );
  expectNone(wrong, "Put await before it: a test that ends earlier passes, whatever becomes of the promise.");
});

/** The position of the `expect` whose last parenthesis is at `end`; -1 if that belongs to another call. */
function startOfExpect(code: readonly Token[], end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    const { text } = code[at] ?? { text: "" };
    if (text === ")") depth++;
    if (text === "(" && --depth === 0) return code[at - 1]?.text === "expect" ? at - 1 : -1;
  }
  return -1;
}

/** Milliseconds that a call here sleeps; 0 if it does not, or if it is a timeout that rejects. */
function sleepOf(file: SourceFile, code: readonly Token[], at: number): number {
  if (code[at + 1]?.text !== "(") return 0;
  const [first, second, third] = code.slice(at + 2, at + 5);
  const isWaker = first?.kind === "word" && WAKERS.includes(first.text) && second?.text === ",";
  const time = isWaker ? third : first;
  if (time?.kind === "number") return Number(time.text.replaceAll("_", ""));
  return time?.kind === "word" ? constantOf(file, time.text) : 0;
}

function constantOf(file: SourceFile, name: string): number {
  const found = new RegExp(`const ${name} = ([\\d_]+);`).exec(file.text)?.[1];
  return Number(found?.replaceAll("_", "") ?? 0);
}
