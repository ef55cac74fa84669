import { expect, test } from "bun:test";
import { tree } from "./source-tree.ts";
import { expectNone, type Violation } from "./violation.ts";

const documents = tree.filter(({ path }) => path.endsWith(".md"));

type BlockLine = { readonly language: string; readonly line: number; readonly text: string };

/** The lines in the code blocks of a document. */
function blockLinesOf(document: string): BlockLine[] {
  let language: string | null = null;
  return document.split("\n").flatMap((text, at) => {
    const [, fence] = /^\s*```(\w*)/.exec(text) ?? [];
    if (fence === undefined) return language === null ? [] : [{ language, line: at + 1, text }];
    language = language === null ? fence : null;
    return [];
  });
}

test("commands in documents have no trailing comments", () => {
  const plain = documents.flatMap(({ path, text }) =>
    blockLinesOf(text)
      .filter(({ language }) => language === "")
      .map((each) => ({ path, ...each })),
  );
  expect(plain.some(({ text }) => text.startsWith("npm start"))).toBe(true);
  const remarks: Violation[] = plain
    .filter(({ text }) => /(^|\s)#/.test(text))
    .map(({ path, line, text }) => ({ path, line, what: text.trim() }));
  expectNone(remarks, "Say it beside the block: to zsh, the shell of macOS, a remark is arguments.");
});
