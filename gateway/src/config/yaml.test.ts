import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseDocument } from "yaml";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { parseYaml } from "./yaml.ts";

/** According to the library, which knows all of YAML. */
function repeatsKeys(text: string): boolean {
  return parseDocument(text, { merge: true }).errors.some(({ code }) => code === "DUPLICATE_KEY");
}

describe("a repeated YAML key", () => {
  test.each([
    "a: 1\nb: 2\na: 3",
    "a : 1\na : 2",
    "a: { b: 1, c: 2, b: 3 }",
    'a: {"b":1,"b":2}',
    "a: {'b':1,\n  'b':2}",
    "a:\n  - b: 1\n    c: 2\n    b: 3",
    "- { a: 1 }\n- { a: 1, a: 2 }",
    "a: | # text: more text\n  b: 1\n  b: 1\na: 2",
    'a: "b: 1, c: 2"\nd: 1\nd: 2',
    "a: 1 # a: 2\nb: 1\nb: 2",
    '"x # y": 1\nb: 1\nb: 2',
    "a: { b: 'x # y', c: 1, c: 2 }",
    'a: { b: "x\n  # y", c: 1, c: 2 }',
    '"a": 1\na: 2',
    "x: &x { a: 1 }\ny: { <<: *x }\ny: 2",
  ])("is found in %j", (text) => {
    expect(repeatsKeys(text)).toBe(true);
    expect(parseYaml(text)).toMatchObject({ ok: false });
  });

  test.each([
    "a: { b: 1 }\nb: { b: 1 }",
    "a:\n  - b: 1\n  - b: 2",
    "a: |\n  b: 1\n  b: 1\nc: 2",
    'a: "b: 1, b: 1"',
    "# a: 1\na: 1 # a: 2",
    "a: http://host:80/a:b",
    "x: &x { a: 1 }\ny: { <<: *x, a: 2 }",
  ])("is not found in %j", (text) => {
    expect(repeatsKeys(text)).toBe(false);
    expect(parseYaml(text)).toMatchObject({ ok: true, value: parseDocument(text, { merge: true }).toJS() });
  });

  const key = fc.constantFrom("a", "b", "c", '"a"', "'b'", "d e", "a#", '"a # b"');
  const value = fc.constantFrom(
    ...["1", "x", "'a: 1'", '"b: 2"', "{ a: 1 }", "{ a: 1, b: 2 }", "{ a: 1, a: 2 }", '{"b":1,"c":2}'],
    ...[
      "[a, b]",
      "[{ a: 1 }, { a: 2 }]",
      "http://a:1/b",
      "y # c: 1",
      '{ a: "x # y", b: 1 }',
      "|\n      a: 1\n      a: 2",
      "# a: 1",
    ],
  );
  const line = fc.tuple(fc.constantFrom("", "", "  ", "  - ", "    "), key, value);

  test("is always found, whatever surrounds it", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.map(([indent, name, held]) => `${indent}${name}: ${held}`).join("\n");
        if (repeatsKeys(text)) expect(parseYaml(text)).toMatchObject({ ok: false });
      }),
      { numRuns: roundsOfRun(2_000) },
    );
  });
});
