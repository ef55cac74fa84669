import { expect, test } from "bun:test";
import { proofOf } from "../../providers/openai-wire/encode/encode-reasoning.ts";
import { closeSeal } from "../../providers/openai-wire/seal.ts";
import { signedTexts } from "./signed-texts.ts";

test("the signed texts of a seal are what its provider signed", () => {
  expect(signedTexts(closeSeal("acme", "a/b+c"))).toEqual(["a/b+c"]);
  expect(signedTexts("unnamed")).toEqual(["unnamed"]);
  const detail = { type: "reasoning.text", text: "So", signature: "s", data: null, index: 0 };
  expect(signedTexts(closeSeal("acme", proofOf(detail) ?? ""))).toEqual(["s"]);
  expect(signedTexts(closeSeal("acme", "{no JSON"))).toEqual(["{no JSON"]);
  expect(signedTexts(closeSeal("acme", "reasoning_content"))).toEqual([]);
  expect(signedTexts(closeSeal("acme", "@c,3;4,4:gA"))).toEqual(["gA"]);
});
