import { expect, test } from "bun:test";
import { estimateTokens } from "./estimate.ts";
import { createKnownCounts } from "./known-counts.ts";
import { countPieces, LONGEST_PIECE, piecesOf } from "./text-pieces.ts";

const WORDS = "So each sum went into the book, twice. ";
const textOf = (length: number) => WORDS.repeat(Math.ceil(length / WORDS.length)).slice(0, length);

test("a text is cut only where it is longer than a piece, and its pieces are the text", () => {
  for (const length of [0, 1, LONGEST_PIECE, LONGEST_PIECE + 1, 3 * LONGEST_PIECE]) {
    const text = textOf(length);
    const pieces = [...piecesOf(text)];
    expect(pieces.join("")).toBe(text);
    expect(pieces).toHaveLength(Math.max(1, Math.ceil(length / LONGEST_PIECE)));
  }
});

test("no character is cut in two", () => {
  const text = `x${"😀".repeat(LONGEST_PIECE)}`;
  for (const piece of piecesOf(text)) expect(piece.isWellFormed()).toBe(true);
});

test("a long text has the tokens of its pieces, however it is counted", () => {
  const text = textOf(2.5 * LONGEST_PIECE);
  const tokens = countPieces(text, estimateTokens);
  expect(estimateTokens(text)).toBe(tokens);
  expect(createKnownCounts(estimateTokens)("us")(text)).toBe(tokens);
  const lengths = [-1, 0, 1, 2].map((more) => LONGEST_PIECE + more);
  const shorter = lengths.map((length) => estimateTokens(text.slice(0, length)));
  expect(shorter).toEqual(shorter.toSorted((one, other) => one - other));
});

test("pieces of a long text are remembered, also where more text follows", () => {
  const counted: number[] = [];
  const count = createKnownCounts((text) => {
    counted.push(text.length);
    return estimateTokens(text);
  })("us");
  const text = textOf(2 * LONGEST_PIECE);
  for (const more of ["", "", "", "."]) count(text + more);
  // From the second time on; the last piece is too short.
  expect(counted.filter((length) => length === LONGEST_PIECE)).toHaveLength(4);
  expect(counted.at(-1)).toBe(1);
});
