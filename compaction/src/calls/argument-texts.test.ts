import { expect, test } from "bun:test";
import { argumentTexts } from "./argument-texts.ts";

const file = "a line of a file\n".repeat(20);

test("the texts of a call's arguments are found in order, also in nested lists and objects", () => {
  const text = JSON.stringify({ path: "a", edits: [{ old: file }, { new: `${file}more` }] });
  expect(argumentTexts(text)).toEqual(["a", file, `${file}more`]);
});

test.each([
  ["cut short", `{"content":${JSON.stringify(file)}`],
  [
    "nested a thousand levels deep",
    `{"content":${JSON.stringify(file)},"a":${"[".repeat(1_000)}${"]".repeat(1_000)}}`,
  ],
])("arguments that are %s have no texts", (_, text) => {
  expect(argumentTexts(text)).toEqual([]);
});
