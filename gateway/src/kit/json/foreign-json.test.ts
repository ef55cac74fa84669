import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import {
  excessOf,
  MAX_FOREIGN_DEPTH,
  MAX_FOREIGN_KEYS,
  MAX_FOREIGN_VALUES,
  parseForeignJson,
} from "./foreign-json.ts";

const keys = (n: number, one: string) => `[${`${one},`.repeat(n - 1)}${one}]`;
const nested = (depth: number, inside = "") => "[".repeat(depth) + inside + "]".repeat(depth);

describe("parseForeignJson", () => {
  test("parses as JSON.parse does, whatever its strings contain", () => {
    // Long enough to be checked, with everything that a careless scan would take for structure.
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

  test("accepts the maximum depth and refuses more, in arrays and objects", () => {
    // The second is long enough to be checked.
    expect(() => parseForeignJson(nested(MAX_FOREIGN_DEPTH))).not.toThrow();
    expect(() => parseForeignJson(nested(MAX_FOREIGN_DEPTH, '"deep down"'))).not.toThrow();
    expect(() => parseForeignJson(nested(MAX_FOREIGN_DEPTH + 1))).toThrow(SyntaxError);
    const objects = `${'{"a":'.repeat(MAX_FOREIGN_DEPTH + 1)}1${"}".repeat(MAX_FOREIGN_DEPTH + 1)}`;
    expect(() => parseForeignJson(objects)).toThrow("nested too deep");
  });

  test("counts depth correctly after strings that end in backslashes and after closed arrays", () => {
    const deep = nested(MAX_FOREIGN_DEPTH + 1);
    for (const string of ["\\\\", 'a long string \\" with quotes \\\\\\" in it \\\\', '\\\\\\"']) {
      expect(excessOf(`["${string}",${deep}]`)).toBe("is nested too deep");
    }
    expect(excessOf(`[${Array.from({ length: 2_000 }, () => "[{}]").join()}]`)).toBeNull();
  });

  test("counts brackets directly after a string", () => {
    for (const string of ["a", "a\\n", "a string of more than a few characters"]) {
      const many = Array.from({ length: 2_000 }, () => `["${string}"]`).join();
      expect(excessOf(`[${many}]`)).toBeNull();
      expect(excessOf(`["${string}",${nested(MAX_FOREIGN_DEPTH)}]`)).toBe("is nested too deep");
    }
  });

  test("accepts the maximum number of values and refuses more, in arrays and objects", () => {
    const values = (n: number, one: string) => `[${`${one},`.repeat(n - 1)}${one}]`;
    // The list itself counts as five, and so does each object in it, plus the comma before it.
    expect(excessOf(values(MAX_FOREIGN_VALUES - 4, "1"))).toBeNull();
    expect(excessOf(values(MAX_FOREIGN_VALUES - 3, "1"))).toBe("has too many values");
    const most = Math.floor((MAX_FOREIGN_VALUES - 4) / 6);
    expect(excessOf(values(most, "{}"))).toBeNull();
    expect(excessOf(values(most + 1, "{}"))).toBe("has too many values");
    // The object that opens in the last place counts to the bound itself.
    const full = MAX_FOREIGN_VALUES - 5 - 5;
    expect(excessOf(`[${"1,".repeat(full)}{}]`)).toBeNull();
    expect(excessOf(`[${"1,".repeat(full + 1)}{}]`)).toBe("has too many values");
    expect(excessOf(`${"[".repeat(500)}${values(most, "[]")}${"]".repeat(500)}`)).toBe("has too many values");
    expect(() => parseForeignJson(values(most + 1, "[]"))).toThrow("too many values");
    expect(excessOf(values(MAX_FOREIGN_VALUES, '""'))).toBe("has too many values");
    const strings = JSON.stringify([",".repeat(MAX_FOREIGN_VALUES + 1), ":".repeat(MAX_FOREIGN_KEYS + 1)]);
    expect(excessOf(strings)).toBeNull();
  });

  test("accepts the maximum number of keys and refuses more, with or without blanks", () => {
    for (const one of ['{"a":1}', '{ "a" : 1 }', '{"tokem":1}', '{"logprobs":1}']) {
      expect(excessOf(keys(MAX_FOREIGN_KEYS, one))).toBeNull();
      expect(() => parseForeignJson(keys(MAX_FOREIGN_KEYS + 1, one))).toThrow("too many keys");
    }
  });

  test("allows more of the keys of logprobs, but not of other keys of the same length", () => {
    for (const [known, unknown] of [
      ["id", "ix"],
      ["token", "tokex"],
      ["bytes", "bytex"],
      ["logprob", "logprox"],
      ["top_logprobs", "top_logprobx"],
    ]) {
      expect(excessOf(keys(MAX_FOREIGN_KEYS + 1, `{"${known}":1}`))).toBeNull();
      expect(excessOf(keys(MAX_FOREIGN_KEYS + 1, `{"${unknown}":1}`))).toBe("has too many keys");
    }
  });

  test("accepts the longest answer with all logprobs, with and without ids", () => {
    for (const id of ["", '"id":262,']) {
      const one = `{${id}"token":" the","logprob":-0.0123,"bytes":[32,116,104,101]}`;
      const entry = `${one.slice(0, -1)},"top_logprobs":[${`${one},`.repeat(19)}${one}]}`;
      const content = `[${`${entry},`.repeat(32_767)}${entry}]`;
      expect(excessOf(`{"choices":[{"logprobs":{"content":${content}}}]}`)).toBeNull();
    }
  });

  test("refuses 90 MB of nothing but objects within a second", () => {
    for (const one of ["{},", '{"token":1},', '{"a":1},']) {
      const text = `[${one.repeat((90 << 20) / one.length)}{}]`;
      expect(excessOf(text)).toMatch(/^has too many/);
      expect(fastestMs(() => excessOf(text), 3, 1_000)).toBeLessThan(1_000);
    }
  });

  test("refuses invalid JSON", () => {
    for (const text of ["", "{", `"${"a".repeat(5_000)}`, `"${"\\".repeat(5_000)}`]) {
      expect(() => parseForeignJson(text)).toThrow(SyntaxError);
    }
  });
});
