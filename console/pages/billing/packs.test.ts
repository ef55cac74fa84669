import { expect, test } from "bun:test";
import { cheapestPacks, paidFirst } from "./packs.tsx";

test("a pack shows how many of its credits go toward a debt", () => {
  expect(paidFirst(12_345, 10_000)).toBe("10,000 of them go toward what is owed; none are added.");
  expect(paidFirst(1, 10_000)).toBe("1 of them goes toward what is owed; 9,999 are added.");
  expect(paidFirst(9_999, 10_000)).toBe("9,999 of them go toward what is owed; 1 is added.");
});

test("the cheapest packs that cover it are chosen together", () => {
  const packs = [
    { name: "small", credits: 10_000, usd: 10 },
    { name: "medium", credits: 100_000, usd: 95 },
    { name: "large", credits: 1_000_000, usd: 900 },
  ];
  const chosen = (needed: number) => {
    const choice = cheapestPacks(packs, needed);
    return choice && [choice.words, choice.credits, choice.usd];
  };
  expect(chosen(10_000)).toEqual(["10,000", 10_000, 10]);
  expect(chosen(10_001)).toEqual(["2 × 10,000", 20_000, 20]);
  expect(chosen(95_000)).toEqual(["100,000", 100_000, 95]);
  expect(chosen(110_000)).toEqual(["100,000 + 10,000", 110_000, 105]);
  expect(chosen(200_000)).toEqual(["2 × 100,000", 200_000, 190]);
  expect(chosen(960_000)).toEqual(["1,000,000", 1_000_000, 900]);
  expect(chosen(20_000_001)).toBeUndefined();
});
