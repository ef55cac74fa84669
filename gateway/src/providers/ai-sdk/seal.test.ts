import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeSeal, encodeSeal } from "./seal.ts";

test("a seal decodes unchanged for its own provider, and to null for another", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("reasoning", "redacted", "answer", "call"),
      fc.string({ minLength: 1 }),
      (kind, data) => {
        const text = encodeSeal("acme", { kind: kind as "call", data });
        expect(decodeSeal("acme", text)).toEqual({ kind: kind as "call", data });
        expect(decodeSeal("acm", text)).toBeNull();
        expect(decodeSeal("other", text)).toBeNull();
      },
    ),
  );
});

test("a seal keeps the list of blocks before it, and an old seal without one still decodes", () => {
  const block = fc.oneof(fc.nat({ max: 999_999_999 }), fc.constant("call" as const));
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 256 }), (after) => {
      const seal = { kind: "reasoning", data: "a@b:c", after } as const;
      expect(decodeSeal("acme", encodeSeal("acme", seal))).toEqual(seal);
    }),
  );
  expect(decodeSeal("acme", "acme/reasoning:c2ln")).toEqual({ kind: "reasoning", data: "c2ln" });
});

test("a seal drops a list of more than 256 blocks", () => {
  const after = new Array<"call">(257).fill("call");
  expect(encodeSeal("acme", { kind: "reasoning", data: "x", after })).toBe("acme/reasoning:x");
});

test.each([
  undefined,
  "",
  "acme",
  "acme/",
  "acme/call",
  "acme/call:",
  "acme/unknown:x",
  "acme/call@:x",
  "acme/call@1,,c:x",
  "acme/call@-1:x",
  "call:x",
])("%p is not a seal", (text) => {
  expect(decodeSeal("acme", text)).toBeNull();
});
