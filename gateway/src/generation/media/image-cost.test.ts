import { describe, expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import { credits } from "../../kit/index.ts";
import { priceMadeImages } from "./image-cost.ts";

const model = modelFrom({
  type: "image",
  credits_per_request: 1,
  price: { units: { "1k": 1, "2k": 1, "4k": 1 }, per_image: { "1k": 10.5, "2k": 30, "4k": 100 } },
  limits: { aspect_ratios: ["1:1", "16:9"] },
});

type Sides = readonly [number | null, number | null];
const cost = (tier: "1k" | "2k" | "4k", ...sizes: Sides[]) => {
  const files = sizes.map(([width, height]) => ({ width, height }));
  return priceMadeImages({ model, tier, aspectRatio: "1:1", files }).cost as number;
};

describe("an image costs", () => {
  test.each<[string, Sides, number]>([
    ["the requested tier if it has that size", [4096, 4096], 100],
    ["the requested tier if it is 3840 × 2160", [3840, 2160], 100],
    ["the requested tier if it is larger", [8000, 6000], 100],
    ["the requested tier if its size is unknown", [null, null], 100],
    ["a lower tier if it is smaller", [2048, 2048], 30],
    ["a lower tier if it is smaller and oblong", [2752, 1536], 30],
    ["the lowest tier if it is smaller than every tier", [64, 64], 11],
  ])("%s", (_, size, expected) => {
    expect(cost("4k", size)).toBe(expected);
  });

  test("never more than the requested tier", () => {
    expect(cost("1k", [4096, 4096])).toBe(11);
    const odd = modelFrom({
      type: "image",
      price: { units: { "1k": 9, "2k": 1 } },
      limits: { aspect_ratios: ["1:1"] },
    });
    const files = [{ width: 1024, height: 1024 }];
    // What is stored says which of the two was charged.
    expect(priceMadeImages({ model: odd, tier: "2k", aspectRatio: "1:1", files })).toEqual({
      cost: credits(1),
      measured: '{"images":{"2k":1}}',
    });
  });

  test("the price of its own tier among several, and their sum is rounded up once", () => {
    expect(cost("2k", [2048, 2048], [1024, 1024], [1000, 1000])).toBe(51);
    const files = [2048, 1024, 1000].map((side) => ({ width: side, height: side }));
    const { measured } = priceMadeImages({ model, tier: "2k", aspectRatio: "16:9", files });
    expect(JSON.parse(measured)).toEqual({ images: { "1k": 2, "2k": 1 }, oblong: true });
  });
});
