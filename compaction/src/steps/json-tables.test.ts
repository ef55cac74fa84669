import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { expandTables } from "../../expand/expand-tables.ts";
import { oneLineStyleOf } from "../json/find-json.ts";
import { scanJson } from "../json/json-tape.ts";
import { writeTables } from "./json-tables.ts";

const spaced = (value: unknown) =>
  JSON.stringify(value).replaceAll(/("(?:[^"\\]|\\.)*")|[,:]/g, (sign, text) => text ?? `${sign} `);

function tableOf(json: string): string | null {
  const tape = scanJson(json);
  const style = tape === null ? null : oneLineStyleOf(tape);
  return tape === null || style === null ? null : writeTables(tape, style);
}

const COMMAS = [",", ", "];

const FLIGHTS = [
  { flight: "HAT069", from: "JFK", at: "06:00:00", seats: { low: 17, high: 12 }, status: "open" },
  { flight: "HAT083", from: "JFK", at: "01:00:00", seats: { low: 16, high: 7 }, status: "open" },
  { flight: "12", from: "JFK", at: "a, b", seats: { low: 1.5, high: 0 }, status: "open" },
];

describe("writeTables", () => {
  test("writes names and constant values once, and every row on a line", () => {
    expect(tableOf(JSON.stringify({ flights: FLIGHTS }))).toBe(
      [
        '{"flights":{"§cols":["flight",{"from=":"JFK"},"at",{"seats":["low","high"]},{"status=":"open"}]',
        "HAT069,06:00:00,17,12",
        "HAT083,01:00:00,16,7",
        '"12","a, b",1.5,0',
        "}}",
      ].join("\n"),
    );
  });

  test("writes the keys of an object of rows once, as a column", () => {
    const items = Object.fromEntries(
      ["9083642334", "4385534692"].map((id) => [id, { id, color: `c${id}`, size: 1 }]),
    );
    expect(tableOf(JSON.stringify(items))).toBe(
      '{"§cols":["§key",{"id=":"§key"},"color",{"size=":1}]\n"9083642334",c9083642334\n"4385534692",c4385534692\n}',
    );
  });

  test("leaves a cell empty if a row lacks a value that others have", () => {
    const rows = [
      { id: 7, name: "one of the users", role: "admin" },
      { id: 8, mail: "", name: "another user", role: "admin" },
      { id: 9, name: "and a third one", role: "admin", note: null },
      { name: "and one more", role: "admin" },
    ];
    const table = [
      '{"§cols":[{"id":"absent if empty"},{"mail":"absent if empty"},"name",{"role=":"admin"},{"note":"absent if empty"}]',
      "7,,one of the users,",
      '8,"",another user,',
      "9,,and a third one,null",
      ",,and one more,",
      "}",
    ].join("\n");
    const more = rows.map((row) => ({ ...row, role: "an administrator of everything" }));
    const json = JSON.stringify(more);
    expect(tableOf(json)).toBe(table.replace('"admin"', '"an administrator of everything"'));
    expect(expandTables(tableOf(json) ?? "")).toBe(json);
  });

  test.each(COMMAS)(
    "leaves rows that lack keys if a table would be longer, whatever is between them: %j",
    (comma) => {
      const parts = (at: number) => [
        { tag: "span", text: `s${at}` },
        { tag: "a", href: `/x${at}` },
        { tag: "img", src: `${at}.png`, alt: "" },
      ];
      const nodes = Array.from({ length: 12 }, (_, at) => ({ tag: "div", children: parts(at) }));
      const json = comma === ", " ? spaced(nodes) : JSON.stringify(nodes);
      const table = tableOf(json) ?? "";
      expect(table.replaceAll(", ", ",").replaceAll(": ", ":")).toStartWith(
        '{"§cols":[{"tag=":"div"},"children"]\n[{"tag":"span","text":"s0"},{"tag":"a","href":"/x0"},',
      );
      expect(expandTables(table)).toBe(json);
    },
  );

  test("writes identical rows as empty lines", () => {
    const row = { state: "open", place: "a long way from here" };
    expect(tableOf(JSON.stringify([row, row, row]))).toBe(
      '{"§cols":[{"state=":"open"},{"place=":"a long way from here"}]\n\n\n\n}',
    );
  });

  test.each<[string, unknown]>([
    ["that would be empty lines", [{ state: "open" }, { state: "open", a: 1 }, { state: "open", a: 2 }]],
    ["in another order", [1, 2, 3].map((id) => (id === 2 ? { state: "open", id } : { id, state: "open" }))],
    ["with many keys of their own", [...Array(12)].map((_, id) => ({ id, state: "open", [`a${id}`]: id }))],
  ])("makes no table of rows %s", (_, rows) => {
    expect(tableOf(JSON.stringify(rows))).toBeNull();
  });

  test("makes no table of values that are none, or that would not get shorter", () => {
    for (const value of [
      [1, 2, 3],
      [{ a: 1 }],
      [{ a: 1 }, { b: 1 }],
      { a: { b: 1 }, c: { d: 2 } },
      [{ a: 1 }, { a: 2 }],
    ]) {
      expect(tableOf(JSON.stringify(value))).toBeNull();
    }
  });

  test("writes tables that can be expanded exactly, in their style, and are shorter", () => {
    const cell = fc.oneof(
      fc.constantFrom(
        "open",
        "closed",
        "a, b",
        "12",
        "true",
        "",
        " x",
        "x ",
        "`",
        "1e5",
        "ü😀",
        "\\",
        "\n",
        "]",
      ),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const named = { id: fc.string(), state: cell, place: fc.record({ city: cell, zip: cell }), kind: cell };
    const row = fc.oneof(
      fc.record(named),
      fc.record({ ...named, note: cell, seen: cell }, { requiredKeys: ["id", "state", "place"] }),
    );
    const rows = fc.array(row, { minLength: 2, maxLength: 6 });
    const value = fc.oneof(
      rows,
      fc.record({ rows }),
      rows.map((all) => ({ ...all })),
      rows.map((all) => [all, all]),
    );
    let tables = 0;
    fc.assert(
      fc.property(value, fc.constantFrom(...COMMAS), (data, comma) => {
        const json = comma === ", " ? spaced(data) : JSON.stringify(data);
        const tape = scanJson(json);
        if (tape === null) throw new Error("valid JSON is JSON");
        const style = { comma, colon: comma.replace(",", ":") };
        expect(oneLineStyleOf(tape)).toEqual(style);
        const table = writeTables(tape, style);
        if (table === null) return;
        tables++;
        expect(expandTables(table)).toBe(json);
        expect(table.length).toBeLessThan(json.length);
      }),
      { numRuns: 500 },
    );
    expect(tables).toBeGreaterThan(200);
  });
});

describe("oneLineStyleOf", () => {
  test.each([
    '{"a" :1}',
    '{"a":1, "b":2}',
    "[1,  2]",
    "[ 1]",
    " [1,2]",
    '{\n  "a":1\n}',
    '{\n  "a": 1}',
    '{\n  "a": 1,"b": 2\n}',
    '{\n  "a": 1,\n   "b": 2\n}',
    '{\n  "a": [ ]\n}',
    '{\n  "a": [1, 2]\n}',
    '{\n  "a": [\n  1\n  ]\n}',
    '{\r\n  "a": 1\r\n}',
    '{\n \t"a": 1\n}',
    '{\n\t\t"a": 1\n}',
    "[\n1\n]",
    "[1,\n 2]",
    `[\n${" ".repeat(9)}1\n]`,
  ])("finds no style for %j, which could not be written again", (json) => {
    const tape = scanJson(json);
    expect(tape === null ? "none" : oneLineStyleOf(tape)).toBeNull();
  });

  test.each(["[1,2]\n", '{"a": 1}\n\n', '[{"a": []}, {}] '])(
    "ignores white space at the end of %j",
    (json) => {
      const [tape, trimmed] = [scanJson(json), scanJson(json.trim())];
      if (tape === null || trimmed === null) throw new Error("valid JSON is JSON");
      expect(oneLineStyleOf(tape)).not.toBeNull();
      expect(oneLineStyleOf(tape)).toEqual(oneLineStyleOf(trimmed));
    },
  );
});
