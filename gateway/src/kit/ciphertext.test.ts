import { expect, test } from "bun:test";
import { looksEncrypted } from "./ciphertext.ts";

test("a long run of base64 looks encrypted", () => {
  expect(looksEncrypted(`gAAAAABo${"aZ09_-".repeat(20)}==`)).toBe(true);
  expect(looksEncrypted("x".repeat(64))).toBe(true);
});

test.each([
  ["words", `Count the files in src${" and again".repeat(20)}.`],
  ["a short name", "gateway/src/http/openai"],
  ["an empty text", ""],
  ["other letters", "ß".repeat(100)],
])("plain text does not look encrypted: %s", (_what, text) => {
  expect(looksEncrypted(text)).toBe(false);
});
