import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { modelFrom } from "../../../catalog/testing.ts";
import { nearestRatio, nearestTier, pixelSizeOf } from "./image-size.ts";

const model = modelFrom({
  type: "image",
  price: { units: { "1k": 1, "2k": 2 } },
  limits: { aspect_ratios: ["1:1", "16:9", "9:16", "3:2", "2:3"] },
});

describe("sizes that clients send", () => {
  const cases: readonly [string, string, string][] = [
    ["1024x1024", "1:1", "1k"],
    ["1536x1024", "3:2", "1k"],
    ["1024x1536", "2:3", "1k"],
    ["1792x1024", "16:9", "1k"],
    ["1024x1792", "9:16", "1k"],
    ["256x256", "1:1", "1k"],
    ["2048x2048", "1:1", "2k"],
    ["4096x4096", "1:1", "2k"],
    ["3840x2160", "16:9", "2k"],
  ];
  for (const [size, ratio, tier] of cases) {
    test(`${size} is served as ${ratio} in ${tier}`, () => {
      const pixels = pixelSizeOf(size);
      expect(pixels && [nearestRatio(pixels, model), nearestTier(pixels, model)]).toEqual([ratio, tier]);
    });
  }

  test("auto and null leave the size to the model", () => {
    expect([pixelSizeOf("auto"), pixelSizeOf(null)]).toEqual([null, null]);
  });

  for (const size of [
    "",
    "1024",
    "1024 x 1024",
    "0x1024",
    "1024x-1",
    "1e3x1e3",
    "999999x1",
    "999x7",
    "16:9",
  ]) {
    test(`${JSON.stringify(size)} is refused`, () => {
      expect(() => pixelSizeOf(size)).toThrow(/^size: must be auto or a size .* each from 10 to 99999$/);
    });
  }
});

test("every size is served with a ratio and a tier that the model has", () => {
  const side = fc.integer({ min: 10, max: 99_999 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      expect(model.limits.aspectRatios).toContain(nearestRatio({ width, height }, model) ?? "");
      expect(["1k", "2k"]).toContain(nearestTier({ width, height }, model) ?? "");
    }),
  );
});
