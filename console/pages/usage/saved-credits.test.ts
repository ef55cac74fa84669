import { expect, test } from "bun:test";
import { cacheCredits, savedCredits } from "./saved-credits.ts";

test.each([
  [0, 0, "Nothing to save"],
  [0, null, "Nothing to save"],
  [90, 0, "Worth less than a credit"],
  [12_000, 1, "Worth up to 1 credit"],
  [12_345, 1.23, "Worth up to 1.23 credits"],
  [1_234_567, 1234.56, "Worth up to 1,234 credits"],
  // What they cost is unknown, which does not mean that it was little.
  [1_234_567, null, "From models no longer listed"],
])("%p saved tokens at %p credits: %s", (tokensSaved, creditsSaved, words) => {
  expect(savedCredits({ tokensSaved, creditsSaved })).toBe(words);
});

test.each([
  [0, "Neither saved nor cost a credit"],
  [1, "Saved 1 credit, net"],
  [0.25, "Saved 0.25 credits, net"],
  [1234.5, "Saved 1,234 credits, net"],
  [-0.75, "Cost 0.75 credits more than they saved"],
  [-20.5, "Cost 20 credits more than they saved"],
])("caches that saved %p credits: %s", (saved, words) => {
  expect(cacheCredits(saved)).toBe(words);
});
