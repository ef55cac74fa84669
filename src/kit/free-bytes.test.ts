import { expect, test } from "bun:test";
import { freeBytes } from "./free-bytes.ts";

test("bytes that were freed are empty, and so is what looked at the same memory; twice is no mistake", () => {
  const bytes = new Uint8Array(1_000).fill(1);
  const view = bytes.subarray(10, 20);
  freeBytes(view);
  freeBytes(bytes);
  expect([bytes.byteLength, view.byteLength]).toEqual([0, 0]);
});
