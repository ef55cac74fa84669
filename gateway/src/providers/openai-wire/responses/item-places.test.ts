import { expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import { ItemPlaces } from "./item-places.ts";

test("items are numbered by arrival, and found by id before their given index", () => {
  const places = new ItemPlaces();
  expect(places.begin({ output_index: 0, item: { id: "a" } })?.index).toBe(0);
  expect(places.begin({ output_index: 0, item: { id: "b" } })?.index).toBe(1);
  expect(places.begin({ output_index: 0, item: { id: "a" } })).toBeNull();
  expect(places.of({ output_index: 0, item_id: "a" })?.index).toBe(0);
  // With an unknown id, the item that was opened last.
  expect(places.of({ output_index: 0, item_id: "x" })?.index).toBe(1);
  expect(places.end({ output_index: 0, item: { id: "b" } })?.index).toBe(1);
  expect(places.of({ output_index: 0, item_id: "x" })?.index).toBe(0);
  expect(places.end({ output_index: 0, item: { id: "b" } })).toBeNull();
  expect(places.end({ output_index: 7, item: { id: "c" } })?.index).toBe(2);
  expect(places.of({ output_index: 7, item_id: "y" })).toBeNull();
});

test("100,000 items that begin and never end are looked up without scanning them all", () => {
  const lookUp = () => {
    const places = new ItemPlaces();
    for (let at = 0; at < 100_000; at++) {
      places.begin({ output_index: 0, item: { id: `item-${at}` } });
      places.of({ output_index: 0, item_id: `other-${at}` });
    }
    expect(places.of({ output_index: 0 })?.index).toBe(99_999);
  };
  expect(fastestMs(lookUp, 3, 2_500)).toBeLessThan(2_500);
});
