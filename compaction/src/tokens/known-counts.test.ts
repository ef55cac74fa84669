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

test("a long text of the same owner is remembered from the second time on", () => {
  const { countFor, counted } = setup();
  for (const text of [LONG, `${LONG}.`, LONG, LONG, LONG])
    expect(countFor("us")(text)).toBe(estimateTokens(text));
  expect(counted).toEqual([LONG, `${LONG}.`, LONG]);
});

test("a text that only begins and ends like another, and is as long, has its own count", () => {
  const { countFor } = setup();
  const texts = ["sum", "∑∑∑"].map((word) => LONG + word + LONG);
  for (let round = 0; round < 3; round++)
    for (const text of texts) expect(countFor("us")(text)).toBe(estimateTokens(text));
});

test("counts are not shared between owners, so timing reveals nothing of what others sent", () => {
  const { countFor, counted } = setup();
  for (let time = 0; time < 3; time++) countFor("us")(LONG);
  for (let time = 0; time < 3; time++) countFor("them")(LONG);
  expect(counted).toEqual([LONG, LONG, LONG, LONG]);
});

test("texts that differ only in lone surrogates are counted separately", () => {
  const count = setup().countFor("us");
  for (const half of ["\ud800", "\udfff", "\ufffd"]) {
    const text = `${LONG}${half.repeat(200)}`;
    expect(count(text)).toBe(estimateTokens(text));
  }
});

test("which texts evict each other is unpredictable", () => {
  // With another secret, the same texts in the same order evict others.
  const texts = Array.from({ length: 1_500 }, (_, at) => `${"x ".repeat(200)}${at}`);
  const pushedOut = () => {
    const { countFor, counted } = setup();
    const count = countFor("us");
    for (let round = 0; round < 3; round++) for (const text of texts) count(text);
    return counted.slice(2 * texts.length);
  };
  const [first, second] = [pushedOut(), pushedOut()];
  expect(first).not.toEqual(second);
});

test("texts that evict each other are still counted correctly", () => {
  const { countFor } = setup();
  const count = countFor("us");
  // Among this many, some share a slot.
  const base = "x ".repeat(600);
  const texts = Array.from({ length: 2_000 }, (_, at) => `${base}${"y ".repeat(at % 7)}${at}`);
  for (let round = 0; round < 3; round++) {
    for (const text of texts) expect(count(text)).toBe(estimateTokens(text));
  }
});
