import { expect, test } from "bun:test";
import { looksEncrypted } from "./ciphertext.ts";

test("one long run of base64 is taken for an encrypted text", () => {
  expect(looksEncrypted(`gAAAAABo${"aZ09_-".repeat(20)}==`)).toBe(true);
  expect(looksEncrypted("x".repeat(64))).toBe(true);
});

test.each([
  ["words", `Count the files in src${" and again".repeat(20)}.`],
  ["a short name", "src/http/openai"],
  ["nothing", ""],
  ["other letters", "ß".repeat(100)],
])("%s are read as they stand", (_what, text) => {
  expect(looksEncrypted(text)).toBe(false);
});
