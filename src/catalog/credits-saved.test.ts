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
  ["nothing", [], 0],
  ["one model at its own price", [{ model: "acme-chat", tokens: 1_000_000 }], 100],
  [
    "several models, each at its own",
    [
      { model: "acme-chat", tokens: 500_000 },
      { model: "acme-large", tokens: 1000 },
    ],
    53,
  ],
  ["less than a hundredth is nothing", [{ model: "acme-chat", tokens: 99 }], 0],
  ["a hundredth is one", [{ model: "acme-chat", tokens: 100 }], 0.01],
  ["a millionth of one short is none", [{ model: "acme-cheap", tokens: 9_999_999_999 }], 0],
  ["the sum is rounded down once", [{ model: "acme-large", tokens: 667 }], 2],
  [
    "exactly, far beyond what doubles count",
    [{ model: "acme-large", tokens: 9_007_199_254_740_991 }],
    27021597764222.97,
  ],
  [
    "models that the catalog has no more count for nothing",
    [
      { model: "gone", tokens: 1_000_000 },
      { model: "acme-chat", tokens: 100 },
    ],
    0.01,
  ],
  [
    "nobody knows what those of a model that is gone were worth",
    [{ model: "gone", tokens: 1_000_000 }],
    null,
  ],
  ["nor those of a model without tokens", [{ model: "acme-video", tokens: 1_000_000 }], null],
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
