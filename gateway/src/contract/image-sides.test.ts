import { expect, test } from "bun:test";
import fc from "fast-check";
import { nearestSize, sidesFor } from "./image-sides.ts";

test.each([
  ["1:1", "1k", 1024, 1024],
  ["16:9", "1k", 1360, 768],
  ["9:16", "2k", 1536, 2736],
  ["3:2", "1k", 1248, 832],
  ["1:1", "4k", 4096, 4096],
] as const)("%s at %s is %d × %d", (aspectRatio, tier, width, height) => {
  expect(sidesFor({ aspectRatio, tier })).toEqual({ width, height });
});

test("sides keep the ratio, are divisible by 16 and within the limits, and have the tier's area without limits", () => {
  const side = fc.integer({ min: 1, max: 21 });
  fc.assert(
    fc.property(
      side,
      side,
      fc.constantFrom("1k" as const, "2k" as const, "4k" as const),
      fc.boolean(),
      (w, h, tier, isLimited) => {
        fc.pre(w / h <= 3 && h / w <= 3);
        const limits = isLimited ? { maxPixels: 3840 * 2160, maxSide: 3840 } : undefined;
        const { width, height } = sidesFor({ aspectRatio: `${w}:${h}`, tier }, limits);
        expect(width % 16).toBe(0);
        expect(height % 16).toBe(0);
        expect(Math.abs(width / height / (w / h) - 1)).toBeLessThan(0.05);
        const base = { "1k": 1024, "2k": 2048, "4k": 4096 }[tier];
        if (!isLimited) expect(Math.abs((width * height) / base ** 2 - 1)).toBeLessThan(0.04);
        if (isLimited) {
          expect(width * height).toBeLessThanOrEqual(3840 * 2160);
          expect(Math.max(width, height)).toBeLessThanOrEqual(3840);
        }
      },
    ),
  );
});

test.each([
  ["1:1", "1024x1024"],
  ["16:9", "1536x1024"],
  ["9:16", "1024x1536"],
  ["5:4", "1536x1024"],
  ["21:20", "1024x1024"],
])("the nearest of three sizes to %s is %s", (ratio, size) => {
  expect(nearestSize(["1024x1024", "1536x1024", "1024x1536"], ratio)).toBe(size as never);
});
