import { describe, expect, test } from "bun:test";
import { writable } from "./fonts.ts";

describe("the text written on an image", () => {
  test.each([
    ["a cat in Tōkyō, Ελλάδα и Москва — 5 €", "a cat in Tōkyō, Ελλάδα и Москва — 5 €"],
    ["猫在雨中的城市", "mao zai yu zhong de cheng shi"],
    ["ペンギンとネコ", "pengeentoneko"],
    ["夜の東京 タワー", "no tawa"],
    ["قطة تحت المطر", "kata that alamatar"],
    ["비 오는 서울", "bee ohneun suhool"],
    ["東京タワーの夜, a cat", "tawano, a cat"],
    ["แมวในสายฝน", ""],
    ["แมว 3 ตัว", "3"],
    ["বৃষ্টিতে একটি বিড়াল, cat", "cat"],
    ["Plakat „Мир“ 猫 🐱", "Plakat „Мир“ mao"],
    ["Cafe\u0301", "Café"],
    ["🐱🐱", ""],
    ["", ""],
  ])("for %j is %j", (text, words) => {
    expect(writable(text)).toBe(words);
  });
});
