import { expect, test } from "bun:test";
import { libraryFilterOf } from "./use-library-filter.ts";

const ID = "0198c5a1-7a1b-7c3d-8e4f-5a6b7c8d9e0f";

test("the library filter is read from the address, and invalid values are ignored", () => {
  expect(libraryFilterOf(new URLSearchParams(`type=image&model=m&member=${ID}`))).toEqual({
    type: "image",
    model: "m",
    memberId: ID,
  });
  expect(libraryFilterOf(new URLSearchParams("type=book&model=&member=foo"))).toEqual({});
});
