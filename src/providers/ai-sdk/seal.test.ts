import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeSeal, encodeSeal } from "./seal.ts";

test("a seal comes back whole to its provider and to nobody else", () => {
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

test.each([undefined, "", "acme", "acme/", "acme/call", "acme/call:", "acme/unknown:x", "call:x"])(
  "%p is no seal",
  (text) => {
    expect(decodeSeal("acme", text)).toBeNull();
  },
);
