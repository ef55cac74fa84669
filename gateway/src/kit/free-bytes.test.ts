import { expect, test } from "bun:test";
import { freeBytes } from "./free-bytes.ts";

test("freeBytes empties the bytes and every view of the same memory; freeing twice is harmless", () => {
  const bytes = new Uint8Array(1_000).fill(1);
  const view = bytes.subarray(10, 20);
  freeBytes(view);
  freeBytes(bytes);
  expect([bytes.byteLength, view.byteLength]).toEqual([0, 0]);
});
