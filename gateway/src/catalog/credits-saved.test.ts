import { expect, test } from "bun:test";
import { creditsSaved, creditsSavedBy } from "./credits-saved.ts";
import { catalogWith, TEXT_ENTRY } from "./testing.ts";

const text = (id: string, input: number) => ({
  ...TEXT_ENTRY,
  id,
  price: { input_per_million: input, output_per_million: input },
});
const video = {
  ...TEXT_ENTRY,
  id: "acme-video",
  type: "video",
  price: { per_second: { "480p": 1 } },
  limits: { duration_seconds: { min: 1, max: 8, default: 4 }, aspect_ratios: ["16:9"] },
};
const catalog = catalogWith({
  models: [text("acme-chat", 100), text("acme-cheap", 0.000001), text("acme-large", 3000), video],
});

test.each([
  ["no tokens are 0 credits", [], 0],
  ["one model counts at its own price", [{ model: "acme-chat", tokens: 1_000_000 }], 100],
  [
    "several models count each at its own price",
    [
      { model: "acme-chat", tokens: 500_000 },
      { model: "acme-large", tokens: 1000 },
    ],
    53,
  ],
  ["less than a hundredth is 0", [{ model: "acme-chat", tokens: 99 }], 0],
  ["exactly a hundredth counts", [{ model: "acme-chat", tokens: 100 }], 0.01],
  ["a millionth less than a hundredth is 0", [{ model: "acme-cheap", tokens: 9_999_999_999 }], 0],
  ["the sum is rounded down once", [{ model: "acme-large", tokens: 667 }], 2],
  [
    "the sum is exact far beyond what doubles can count",
    [{ model: "acme-large", tokens: 9_007_199_254_740_991 }],
    27021597764222.97,
  ],
  [
    "removed models count as 0 beside models that still exist",
    [
      { model: "gone", tokens: 1_000_000 },
      { model: "acme-chat", tokens: 100 },
    ],
    0.01,
  ],
  ["of removed models alone, the value is unknown (null)", [{ model: "gone", tokens: 1_000_000 }], null],
  [
    "of models without a token price alone, the value is unknown (null)",
    [{ model: "acme-video", tokens: 1_000_000 }],
    null,
  ],
])("credits saved: %s", (_, saved, expected) => {
  expect(creditsSaved(catalog, saved)).toBe(expected);
});

test.each([
  [{ type: "text", input_per_million: 100 }, 1_000_000, 100],
  [{ type: "text", input_per_million: 100 }, 199, 0.01],
  [{ type: "text", input_per_million: 2.01 }, 1_000_000, 2.01],
  [{ type: "text", input_per_million: 3000 }, 1_000_000_000, 3_000_000],
  [{ type: "text", input_per_million: 0 }, 1_000_000, 0],
  [{ type: "video", input_per_million: 100 }, 1_000_000, 0],
  [{ type: "text" }, 1_000_000, 0],
  [null, 1_000_000, 0],
])("by the rule %j, %d tokens saved are %d credits", (rule, tokens, expected) => {
  expect(creditsSavedBy(rule, tokens)).toBe(expected);
});
