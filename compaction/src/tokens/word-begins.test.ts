import { describe, expect, test } from "bun:test";
import { BEGINS, BLANK, HIGH, KIND_OF, KINDS_OF_PAIR, LAST_FIVE } from "./word-begins.ts";

/** The words of a text without characters beyond ASCII. */
function wordsOf(text: string): string[] {
  const kindAt = (at: number) => KIND_OF[text.charCodeAt(at)] ?? BLANK;
  // Before the text there are line breaks, after it blanks.
  const kinds = [5, 5, ...[...text].map((_, at) => kindAt(at)), BLANK, BLANK];
  const words: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const five = kinds.slice(at, at + 5).reduce((all, kind) => (all << 3) | kind, 0);
    if (words.length === 0 || ((BEGINS[five] ?? 0) & 1) === 1) words.push("");
    words.push((words.pop() ?? "") + text.charAt(at));
  }
  return words;
}

describe("words begin where the tokenizer cuts", () => {
  test.each([
    ["Hello, big world!", ["Hello", ",", " big", " world", "!"]],
    ["don't say it's", ["don't", " say", " it's"]],
    ["parseHTMLText", ["parse", "HTMLText"]],
    ["a.b(c)", ["a", ".b", "(c", ")"]],
    ["f (x) => {\n  y;\n}", ["f", " (", "x", ")", " =>", " {\n", " ", " y", ";\n", "}"]],
    ["\t\tif", ["\t", "\tif"]],
    ["end  \n\nnext", ["end", "  \n\n", "next"]],
    ["a    b", ["a", "   ", " b"]],
    ["----\n", ["----\n"]],
    ["a 12345b", ["a", " ", "12345", "b"]],
  ])("%j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test("the end of a text begins no word that more text could undo", () => {
    expect(wordsOf("it'")).toEqual(["it'"]);
    expect(wordsOf("a  ")).toEqual(["a", "  "]);
  });

  test("the fourth of five kinds is decided as the third of the next five", () => {
    for (let kinds = 0; kinds <= LAST_FIVE; kinds++) {
      const fourth = (BEGINS[kinds] ?? 0) >> 1;
      for (let next = 0; next <= HIGH; next++) {
        expect((BEGINS[((kinds << 3) | next) & LAST_FIVE] ?? 0) & 1).toBe(fourth);
      }
    }
  });

  test("a pair of bytes has the kinds of both, the first one first", () => {
    const pair = new Uint16Array(Uint8Array.from([65, 48]).buffer)[0] ?? 0;
    expect(KINDS_OF_PAIR[pair]).toBe(((KIND_OF[65] ?? 0) << 3) | (KIND_OF[48] ?? 0));
  });
});
