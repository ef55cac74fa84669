import { expect, test } from "bun:test";
import { packFor, paidFirst } from "./packs.tsx";

test("a pack shows how many of its credits go toward a debt", () => {
  expect(paidFirst(12_345, 10_000)).toBe("10,000 of them go toward what is owed; none are added.");
  expect(paidFirst(1, 10_000)).toBe("1 of them goes toward what is owed; 9,999 are added.");
  expect(paidFirst(9_999, 10_000)).toBe("9,999 of them go toward what is owed; 1 is added.");
});

test("the smallest pack that covers the debt is chosen, else the largest", () => {
  const packs = [10_000, 100_000].map((credits) => ({ name: String(credits), credits, usd: 1 }));
  expect(packFor(packs, 10_000)?.credits).toBe(10_000);
  expect(packFor(packs, 10_001)?.credits).toBe(100_000);
  expect(packFor(packs, 500_000)?.credits).toBe(100_000);
});
