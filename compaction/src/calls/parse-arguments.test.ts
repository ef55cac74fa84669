import { expect, test } from "bun:test";
import { parseArguments } from "./parse-arguments.ts";

const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`;

test("arguments are parsed unless they are invalid or nested deeper than 512 levels", () => {
  expect(parseArguments('{"a":[1]}')).toEqual({ a: [1] });
  expect(() => parseArguments('{"a":')).toThrow(SyntaxError);
  expect(() => parseArguments(nested(512))).not.toThrow();
  expect(() => parseArguments(nested(514))).toThrow(SyntaxError);
  expect(() => parseArguments(nested(150_000))).toThrow(SyntaxError);
});
