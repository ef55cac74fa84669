import { expect, test } from "bun:test";
import { viewOf } from "./use-filter.ts";

const ID = "0198c5a1-7a1b-7c3d-8e4f-5a6b7c8d9e0f";
const shown = (address: string) => {
  const view = Object.entries(viewOf(new URLSearchParams(address)));
  return Object.fromEntries(view.filter(([, value]) => value !== undefined));
};
const USUAL = { days: 30, split: "model" };

test("the usage filter is read from the address", () => {
  expect(
    shown(`days=7&split=key&keyId=${ID}&memberId=${ID}&model=m&status=failed&sort=credits&order=up`),
  ).toEqual({
    days: 7,
    split: "key",
    keyId: ID,
    memberId: ID,
    model: "m",
    status: "failed",
    sort: "credits",
    order: "up",
  });
  expect(shown("memberId=none")).toEqual({ ...USUAL, memberId: "none" });
});

test("invalid values in the address are ignored", () => {
  const address = "days=8&split=day&keyId=foo&memberId=bar&model=&status=odd&sort=no&order=sideways";
  expect(shown(address)).toEqual(USUAL);
  expect(shown(`keyId=none&memberId=${ID}x`)).toEqual(USUAL);
});
