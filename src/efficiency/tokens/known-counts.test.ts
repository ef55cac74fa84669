import { expect, test } from "bun:test";
import { estimateTokens } from "./estimate.ts";
import { createKnownCounts } from "./known-counts.ts";

const LONG = "So each sum went into the book, twice. ".repeat(50);

function setup() {
  const counted: string[] = [];
  const countFor = createKnownCounts((text) => {
    counted.push(text);
    return estimateTokens(text);
  });
  return { countFor, counted };
}

test("a long text is counted once, however often it comes, in whatever call", () => {
  const { countFor, counted } = setup();
  for (const text of [LONG, `${LONG}.`, LONG]) expect(countFor("us")(text)).toBe(estimateTokens(text));
  expect(counted).toEqual([LONG, `${LONG}.`]);
});

test("nobody is told by the time an answer takes what others sent", () => {
  const { countFor, counted } = setup();
  countFor("us")(LONG);
  expect(countFor("them")(LONG)).toBe(estimateTokens(LONG));
  expect(counted).toEqual([LONG, LONG]);
});

test("texts that push each other out of a place are still counted right", () => {
  const { countFor } = setup();
  const count = countFor("us");
  // Among so many some share one of the places.
  const base = "x ".repeat(600);
  const texts = Array.from({ length: 2_000 }, (_, at) => `${base}${"y ".repeat(at % 7)}${at}`);
  for (let round = 0; round < 2; round++) {
    for (const text of texts) expect(count(text)).toBe(estimateTokens(text));
  }
});
