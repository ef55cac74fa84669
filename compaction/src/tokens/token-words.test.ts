import { describe, expect, test } from "bun:test";
import { AFTER, BEFORE, CLASS_OF, DIGIT } from "./character-class.ts";
import { BEGINS } from "./token-words.ts";

/** The words of a text that has no digits and no other scripts. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let context = (BEFORE << 4) | BEFORE;
  for (let at = 0; at < text.length; at++) {
    const kind = CLASS_OF[text.charCodeAt(at)] ?? AFTER;
    expect(kind).toBeLessThan(DIGIT);
    const next = at + 1 < text.length ? (CLASS_OF[text.charCodeAt(at + 1)] ?? AFTER) : AFTER;
    context = ((context << 4) | kind) & 0xfff;
    if (BEGINS[(context << 4) | next] === -1) words.push("");
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
    ["\t}", ["\t", "}"]],
    ["end  \n\nnext", ["end", "  \n\n", "next"]],
    ["a    b", ["a", "   ", " b"]],
    ["----\n", ["----\n"]],
    ["größer als Ärger", ["größer", " als", " Ärger"]],
    ["“quoted” – and…", ["“quoted", "”", " –", " and", "…"]],
  ])("%j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test("the end of a text begins no word that more text could undo", () => {
    expect(wordsOf("it'")).toEqual(["it'"]);
    expect(wordsOf("a  ")).toEqual(["a", "  "]);
  });

  test("every entry of BEGINS is 0 or -1", () => {
    expect(new Set(BEGINS)).toEqual(new Set([0, -1]));
  });
});
