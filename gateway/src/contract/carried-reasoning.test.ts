import { expect, test } from "bun:test";
import { createCarriedReasoning } from "./carried-reasoning.ts";

test("each tool call carries the signed reasoning since the previous call", () => {
  const carried = createCarriedReasoning();
  carried.text("I sh");
  carried.text("ould ask.");
  carried.signature("one");
  carried.signature("redacted");
  expect(carried.take()).toEqual([
    { text: "I should ask.", signature: "one" },
    { text: "", signature: "redacted" },
  ]);
  expect(carried.take()).toBeUndefined();
  carried.text("Again.");
  expect(carried.take()).toBeUndefined();
  carried.signature("two");
  expect(carried.take()).toEqual([{ text: "", signature: "two" }]);
});

test("reasoning too long for an id is dropped, and the next call still carries its own", () => {
  const carried = createCarriedReasoning();
  carried.signature("first");
  for (let piece = 0; piece < 70; piece++) carried.text("x".repeat(1_000));
  carried.signature("last");
  expect(carried.take()).toBeUndefined();
  carried.signature("next");
  expect(carried.take()).toEqual([{ text: "", signature: "next" }]);
});
