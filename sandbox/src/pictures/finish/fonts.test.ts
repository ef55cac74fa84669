import { describe, expect, test } from "bun:test";
import { writable } from "./fonts.ts";

describe("the text written on an image", () => {
  test.each([
    ["a cat in Tōkyō, Ελλάδα и Москва — 5 €", "a cat in Tōkyō, Ελλάδα и Москва — 5 €"],
    ["แมวในสายฝน", ""],
    ["แมว 3 ตัว", "3"],
    ["বৃষ্টিতে একটি বিড়াল, cat", "cat"],
    ["Plakat „Мир“ 猫 🐱", "Plakat „Мир“"],
    ["Cafe\u0301", "Café"],
    ["東京タワーの夜, a cat", "a cat"],
    ["🐱🐱", ""],
    ["", ""],
  ])("for %j is %j", (text, words) => {
    expect(writable(text)).toBe(words);
  });
});
