import { describe, expect, test } from "bun:test";
import { functionsOf } from "./functions.ts";
import type { SourceFile } from "./source-tree.ts";
import { codeOf } from "./tokens.ts";

const file = (...lines: string[]): SourceFile => ({
  path: "gateway/src/kit/example.ts",
  text: `${lines.join("\n")}\n`,
  lineCount: lines.length,
});

describe("the reader of source code", () => {
  test("does not take comments, strings, templates or patterns for code", () => {
    const source = file(
      "// process.env",
      `const a = "process.env" + \`process.env \${inner} process.env\`;`,
      "const b = /process.env/.test(a) ? 4 / 2 / 1 : {};",
    );
    const words = codeOf(source).filter(({ kind }) => kind === "word");
    expect(words.map(({ text }) => text)).toEqual(["const", "a", "inner", "const", "b", "test", "a"]);
  });

  test("gives every token its line", () => {
    const source = file("const a = `one", `two \${b}`, "three`;", "last();");
    expect(codeOf(source).find(({ text }) => text === "b")?.line).toBe(2);
    expect(codeOf(source).find(({ text }) => text === "last")?.line).toBe(4);
  });

  test("finds a function whatever its parameters and return type are", () => {
    const source = file(
      "export function plain(a: string): { b: number } {",
      "  return { b: 1 };",
      "}",
      "async function* generic<T extends { c: string }>({ d }: T): AsyncIterable<T | undefined> {",
      "  if (d) {",
      "    yield d;",
      "  }",
      "}",
      "const arrow = (): (() => void) => {",
      "  call({ e: f ? g(1) : { h: 2 } });",
      "};",
      "const object = { method(i: number): () => void { return j; } };",
    );
    expect(functionsOf(source).map(({ name, lineCount }) => `${name} ${lineCount}`)).toEqual([
      "plain 3",
      "generic 5",
      "arrow 3",
      "method 1",
    ]);
  });

  test("counts parameters, not the contents of their types and defaults", () => {
    const source = file(
      "function none(): void {}",
      "function two(a: Map<string, number>, { b, c }: D = { b: [1, 2], c: 3 }): void {}",
      "function three(",
      "  a: (b: string, c: string) => void,",
      "  d: E,",
      "  f: G,",
      "): void {}",
      "list.sort((a, b) => {});",
      "list.map(a => {});",
    );
    expect(functionsOf(source).map(({ parameterCount }) => parameterCount)).toEqual([0, 2, 3, 2, 1]);
  });
});
