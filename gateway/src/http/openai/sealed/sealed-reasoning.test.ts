import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { createReasoningSeal } from "./sealed-reasoning.ts";

const seal = createReasoningSeal("a secret of at least thirty-two characters");
const part = fc.record({ text: fc.string(), signature: fc.string() }, { requiredKeys: ["text"] });

test("sealed reasoning opens to the same parts, including signatures", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const kept = parts.map((each) => ({ ...each }));
      expect(seal.open(seal.seal(parts) ?? "")).toEqual(kept);
    }),
  );
});

test("empty reasoning and reasoning above the limit are not sealed", () => {
  expect(seal.seal([])).toBeNull();
  expect(seal.seal([{ text: randomBytes(200_000).toString("hex") }])).toBeNull();
});

test("a foreign text is not opened; a changed text and one of another secret open as empty", () => {
  const ours = seal.seal([{ text: "hm", signature: "s" }]) ?? "";
  const other = createReasoningSeal("another secret of thirty-two characters!");
  for (const foreign of ["", "gAAAAABm", ours.slice(1)]) expect(seal.open(foreign)).toBeNull();
  for (const changed of ["b1-", ours.slice(0, -3), `${ours.slice(0, 9)}A${ours.slice(9)}`]) {
    expect(seal.open(changed)).toEqual([]);
  }
  expect(other.open(ours)).toEqual([]);
});

test("a provider's own encrypted text is returned unchanged to that provider, and to no other", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const marked = seal.mark(text, "acme");
      expect(seal.unmark(marked, "acme")).toBe(text);
      expect([seal.unmark(marked, "other"), seal.open(marked)]).toEqual([null, null]);
    }),
  );
  const marked = seal.mark("gAAA", "acme");
  expect(marked).not.toContain("acme");
  expect(createReasoningSeal("another secret of thirty-two characters!").unmark(marked, "acme")).toBeNull();
  expect(seal.forRequest().unmark(marked, "acme")).toBe("gAAA");
});

test("an encrypted text without a mark is returned to any provider", () => {
  for (const text of ["gAAAAABm", "acme/x", ""]) expect(seal.unmark(text, "acme")).toBe(text);
});
