import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sha256, sha256Hex, sign, verifySignature } from "./hash.ts";

test("SHA-256 of text and bytes matches the known digest", () => {
  const known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(sha256Hex("abc")).toBe(known);
  expect(sha256(new TextEncoder().encode("abc")).toString("hex")).toBe(known);
});

describe("signatures", () => {
  const signed = { secret: "s".repeat(32), purpose: "cursor", payload: "p" };
  const signature = sign(signed.secret, signed.purpose, signed.payload);

  test("verify for what was signed", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (purpose, payload) => {
        const given = sign(signed.secret, purpose, payload);
        expect(verifySignature({ secret: signed.secret, purpose, payload, signature: given })).toBe(true);
        expect(given).toMatch(/^[\w-]{43}$/);
      }),
    );
  });

  test.each([
    ["another secret", { secret: "t".repeat(32) }],
    ["another purpose", { purpose: "link" }],
    ["another payload", { payload: "q" }],
    ["no signature", { signature: "" }],
    ["a shorter signature", { signature: signature.slice(1) }],
    ["a longer signature", { signature: `${signature}A` }],
    ["a signature of other characters and the same length", { signature: "é".repeat(43) }],
    ["the signature in lower case", { signature: signature.toLowerCase() }],
  ])("do not verify with %s", (_, change) => {
    expect(verifySignature({ ...signed, signature, ...change })).toBe(false);
  });

  test("do not verify with any one character changed", () => {
    fc.assert(
      fc.property(fc.nat(42), fc.constantFrom(..."ABab09-_"), (at, character) => {
        const forged = signature.slice(0, at) + character + signature.slice(at + 1);
        fc.pre(forged !== signature);
        expect(verifySignature({ ...signed, signature: forged })).toBe(false);
      }),
    );
  });
});
