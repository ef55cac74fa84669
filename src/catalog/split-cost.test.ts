import { expect, test } from "bun:test";
import fc from "fast-check";
import { credits, MAX_CREDITS } from "../kit/index.ts";
import { splitCost } from "./split-cost.ts";

test("shares sum to the whole and differ by one credit at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_CREDITS }), fc.integer({ min: 1, max: 64 }), (total, parts) => {
      const shares = splitCost(credits(total), parts);
      expect(shares).toHaveLength(parts);
      expect(shares.reduce<number>((sum, share) => sum + share, 0)).toBe(total);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});

test("a cost without parts is our own mistake", () => {
  expect(() => splitCost(credits(5), 0)).toThrow();
});
