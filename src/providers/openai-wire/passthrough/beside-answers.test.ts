import { expect, test } from "bun:test";
import { delta, STOP, wireChunks } from "../testing.ts";

test("a stream says beside its answers what a server says without a choice, but for what marks every chunk", () => {
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
