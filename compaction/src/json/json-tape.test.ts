import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { minifyJson } from "./find-json.ts";
import { scanJson } from "./json-tape.ts";

function isContainer(text: string): boolean {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

function minify(text: string): string {
  const tape = scanJson(text);
  return tape === null ? text : minifyJson(tape);
}

describe("scanJson", () => {
  test("accepts exactly the objects and arrays that are valid JSON", () => {
    const signs = fc.string({
      unit: fc.constantFrom(...'{}[]",:\\ u0', "1", "-", ".", "e", "true", '"a"', "\n", "\t"),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          signs,
          fc.json(),
          signs.map((inner) => `[${inner}]`),
        ),
        (text) => {
          expect(scanJson(text) !== null).toBe(isContainer(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("refuses values that are nested more than 64 levels deep", () => {
    expect(scanJson("[".repeat(64) + "]".repeat(64))).not.toBeNull();
    expect(scanJson("[".repeat(65) + "]".repeat(65))).toBeNull();
  });
});

describe("minifyJson", () => {
  test("drops white space between values and nothing else", () => {
    const text = '\n{ "b" : [1.0, 1e5,\t-0 , 0.10] , "a":"x  y", "b" : { } , "c" :[ ]}\n';
    expect(minify(text)).toBe('{"b":[1.0,1e5,-0,0.10],"a":"x  y","b":{},"c":[]}');
  });

  test("keeps every value, whatever the indent was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 4), (value, indent) => {
        expect(minify(JSON.stringify([value], null, indent))).toBe(JSON.stringify([value]));
      }),
    );
  });
});
