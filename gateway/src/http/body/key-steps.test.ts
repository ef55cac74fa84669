import { expect, test } from "bun:test";
import { jsonSteps } from "./json-guard.ts";
import { readJson } from "./json-testing.ts";

const DEPTH = 16;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const rows = (count: number, more = "") =>
  `[${Array.from({ length: count }, (_, at) => `{"a${at}":{"b":[{"c":${at}}]}}`).join(",")}${more}]`;

test("a repeated key is found among tens of thousands, and nothing else is taken for one", () => {
  expect(readJson(bytesOf(rows(10_000)), DEPTH).ok).toBe(true);
  for (const more of [',{"x":1,"x":2}', ',[[{"x":1,"\\u0078":2}]]'])
    expect(readJson(bytesOf(rows(10_000, more)), DEPTH)).toEqual({ ok: false, refusal: "duplicate_key" });
});

test("others may be served before and after the parser, and between thousands of objects", () => {
  const pausesOf = (text: string) => [...jsonSteps(bytesOf(text), DEPTH)].length;
  expect(pausesOf("{}")).toBe(2);
  // Each row is three objects and a list.
  expect(pausesOf(rows(30_000))).toBe(2 + 12);
});
