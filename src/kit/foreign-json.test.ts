import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isNestedTooDeep, MAX_FOREIGN_DEPTH, parseForeignJson } from "./foreign-json.ts";

const nested = (depth: number, inside = "") => "[".repeat(depth) + inside + "]".repeat(depth);

describe("JSON of others", () => {
  test("is read as JSON.parse reads it, however its strings look", () => {
    // Long enough to be looked at, with everything that a careless look would take for structure.
    const padding = JSON.stringify(`${"[{".repeat(MAX_FOREIGN_DEPTH)}\\"\\\\`);
    const run = fc.property(
      fc.json(),
      fc.string({ unit: fc.constantFrom('"', "\\", "[", "{", "a") }),
      (json, odd) => {
        const text = `[${padding},${json},${JSON.stringify(odd)},${padding}]`;
        expect(parseForeignJson(text)).toEqual(JSON.parse(text));
      },
    );
    fc.assert(run);
  });

  test("may be as deep as the bound and no deeper, in lists and in objects", () => {
    // The second is long enough to be looked at.
    expect(() => parseForeignJson(nested(MAX_FOREIGN_DEPTH))).not.toThrow();
    expect(() => parseForeignJson(nested(MAX_FOREIGN_DEPTH, '"deep down"'))).not.toThrow();
    expect(() => parseForeignJson(nested(MAX_FOREIGN_DEPTH + 1))).toThrow(SyntaxError);
    const objects = `${'{"a":'.repeat(MAX_FOREIGN_DEPTH + 1)}1${"}".repeat(MAX_FOREIGN_DEPTH + 1)}`;
    expect(() => parseForeignJson(objects)).toThrow("nested too deep");
  });

  test("is measured behind strings that end in backslashes and behind what was closed", () => {
    const deep = nested(MAX_FOREIGN_DEPTH + 1);
    for (const string of ["\\\\", 'a long string \\" with quotes \\\\\\" in it \\\\', '\\\\\\"']) {
      expect(isNestedTooDeep(`["${string}",${deep}]`)).toBe(true);
    }
    expect(isNestedTooDeep(`[${Array.from({ length: 2_000 }, () => "[{}]").join()}]`)).toBe(false);
  });

  test("is measured from the end of a string on: what is closed there is closed, what opens there is open", () => {
    for (const string of ["a", "a\\n", "a string of more than a few characters"]) {
      const many = Array.from({ length: 2_000 }, () => `["${string}"]`).join();
      expect(isNestedTooDeep(`[${many}]`)).toBe(false);
      expect(isNestedTooDeep(`["${string}",${nested(MAX_FOREIGN_DEPTH)}]`)).toBe(true);
    }
  });

  test("is refused where it is no JSON", () => {
    for (const text of ["", "{", `"${"a".repeat(5_000)}`, `"${"\\".repeat(5_000)}`]) {
      expect(() => parseForeignJson(text)).toThrow(SyntaxError);
    }
  });
});
