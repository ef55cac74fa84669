import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines, shortenDiff } from "./line-diff.ts";

describe("diffLines", () => {
  test("gives both texts back, with unchanged lines once", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (sign: string) => lines.filter((line) => line.sign !== sign).map((line) => line.text);
        expect(side("+").join("\n")).toBe(before);
        expect(side("-").join("\n")).toBe(after);
      }),
    );
  });

  test("finds the line that changed", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc").map(({ sign, text }) => sign + text)).toEqual([
      " a",
      "-b",
      "+x",
      " c",
    ]);
  });
});

test("lines far from any change are counted, not shown", () => {
  const lines = diffLines("1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\n8");
  expect(shortenDiff(lines).map(({ sign, text }) => sign + text)).toEqual([
    " … 4 more",
    " 5",
    " 6",
    "-7",
    "+8",
  ]);
});
