import { expect, test } from "bun:test";
import fc from "fast-check";
import { csvLine } from "./csv.ts";

test("cells are separated and quoted as in RFC 4180", () => {
  expect(csvLine(["a", 1, null, "b,c", 'say "hi"', "two\r\nlines"])).toBe(
    'a,1,,"b,c","say ""hi""","two\r\nlines"\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＠x", '=HYPERLINK("x")'])(
  "%j is prefixed so that no spreadsheet runs it as a formula",
  (cell) => {
    expect(parse(csvLine([cell]))).toEqual([`'${cell}`]);
  },
);

test("any cells are read back as written, and none starts a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 }), (cells) => {
      const read = parse(csvLine(cells));
      expect(read.map((cell, at) => (cell === `'${cells[at]}` ? cells[at] : cell))).toEqual(cells);
      for (const cell of read) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});

/** A parser by the standard, for one record. */
function parse(line: string): string[] {
  const cells: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy;
  for (const [, quoted, plain] of line.matchAll(pattern)) {
    cells.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
  }
  return cells;
}
