import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fillTables } from "./document-tables.ts";
import { type FigureFile, loadFigures } from "./figure-file.ts";

const DOCS = join(import.meta.dir, "..", "..", "docs");
const FILE: FigureFile = {
  name: "speed",
  command: "npm run bench speed",
  commit: "abc1234",
  date: "2026-01-02",
  seed: 7,
  machine: { cpu: "Some CPU", cores: 2, memoryGb: 24, system: "Linux 6", bun: "1.4.4" },
  figures: {},
  tables: { all: { header: ["", "a|b"], rows: [["one", "1"]] } },
};

test("a table is made from its figures, whatever was there", () => {
  const made = fillTables("Before\n<!-- figures speed all -->\nold\n<!-- end -->\nAfter", () => FILE);
  expect(made).toBe(
    [
      "Before",
      "<!-- figures speed all -->",
      "|  | a\\|b |",
      "| --- | ---: |",
      "| one | 1 |",
      "",
      "<sub>`npm run bench speed`, commit abc1234, 2026-01-02, 2 × Some CPU, 24 GB, Bun 1.4.4, seed 7</sub>",
      "<!-- end -->",
      "After",
    ].join("\n"),
  );
  expect(fillTables(made, () => FILE)).toBe(made);
});

test("a table that the figures lack is an error", () => {
  expect(() => fillTables("<!-- figures speed none -->\n<!-- end -->", () => FILE)).toThrow(
    'no table "none"',
  );
});

const pages = readdirSync(DOCS).filter((name) => name.endsWith(".md"));
test.each(pages)("the tables of docs/%s are those of docs/figures", (page) => {
  const text = readFileSync(join(DOCS, page), "utf8");
  expect(fillTables(text, loadFigures)).toBe(text);
});
