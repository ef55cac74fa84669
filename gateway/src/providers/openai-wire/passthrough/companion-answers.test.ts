import { expect, test } from "bun:test";
import { delta, STOP, wireChunks } from "../testing.ts";

test("fields of chunks without a choice are passed on, except those that every chunk repeats", () => {
  const marks = { system_fingerprint: "fp", obfuscation: "x" };
  const moderation = { output: { results: [{ flagged: true }] } };
  const { wire } = wireChunks([
    { ...delta({ content: "a" }), ...marks, citations: ["one"] },
    { ...STOP, ...marks },
    { choices: [], usage: { prompt_tokens: 3 }, ...marks, citations: ["one", "two"] },
    { choices: [], ...marks, obfuscation: "y", moderation, cost: 0.5, note: "" },
    { choices: [], ...marks },
  ]);
  expect(wire.map(({ isBeside = false }) => isBeside)).toEqual([false, true, true, false]);
  expect(wire.slice(1, 3).map(({ members }) => JSON.parse(`{${members}}`))).toEqual([
    { citations: ["one", "two"] },
    { moderation, cost: 0.5 },
  ]);
});
