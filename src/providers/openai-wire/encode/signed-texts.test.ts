import { expect, test } from "bun:test";
import { encodeSeal } from "../seal.ts";
import { proofOf } from "./encode-reasoning.ts";
import { signedTexts } from "./signed-texts.ts";

test("a seal stands for what its provider wrote", () => {
  expect(signedTexts(encodeSeal("acme", "a/b+c"))).toEqual(["a/b+c"]);
  expect(signedTexts("unnamed")).toEqual(["unnamed"]);
  const detail = { type: "reasoning.text", text: "So", signature: "s", data: null, index: 0 };
  expect(signedTexts(encodeSeal("acme", proofOf(detail) ?? ""))).toEqual(["s"]);
  expect(signedTexts(encodeSeal("acme", "{no JSON"))).toEqual(["{no JSON"]);
  expect(signedTexts(encodeSeal("acme", "reasoning_content"))).toEqual([]);
  expect(signedTexts(encodeSeal("acme", "@c,3;4,4:gA"))).toEqual(["gA"]);
});
