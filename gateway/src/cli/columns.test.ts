import { expect, test } from "bun:test";
import { alignColumns, alignFields } from "./columns.ts";

test("columns are as wide as their widest cell, whatever its script or colour, without trailing spaces", () => {
  expect(
    alignColumns([
      ["a", "long cell", "x"],
      ["\x1b[1mwide\x1b[0m", "b", ""],
      ["日本", "c", "y"],
    ]),
  ).toBe("a     long cell  x\n\x1b[1mwide\x1b[0m  b\n日本  c          y");
});

test("fields are indented and aligned", () => {
  expect(
    alignFields([
      ["id", "1"],
      ["name", "Acme"],
    ]),
  ).toBe("  id    1\n  name  Acme");
});
