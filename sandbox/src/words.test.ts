import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { piecesWithin, splitWords } from "./words.ts";

describe("splitWords", () => {
  test("gives each word with the space before it", () => {
    expect(splitWords("Two words,\n\nthen more ")).toEqual(["Two", " words,", "\n\nthen", " more", " "]);
  });

  test("gives pieces that join to the text again and split no character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const pieces = splitWords(text.repeat(5));
        expect(pieces.join("")).toBe(text.repeat(5));
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });

  test("cuts a very long word into pieces", () => {
    expect(splitWords("x".repeat(100)).map((piece) => piece.length)).toEqual([24, 24, 24, 24, 4]);
  });
});

test("piecesWithin keeps as many pieces as the limit allows and no more", () => {
  const pieces = splitWords("one two three four five");
  const countWords = (text: string) => text.split(" ").length;
  expect(piecesWithin(pieces, 3, countWords)).toBe(3);
  expect(piecesWithin(pieces, 99, countWords)).toBe(5);
  expect(piecesWithin(pieces, 0, countWords)).toBe(0);
});
