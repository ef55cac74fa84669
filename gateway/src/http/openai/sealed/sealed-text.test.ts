import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createOpeningBudget, createSealedText, type SealedText } from "./sealed-text.ts";

const SECRET = "a secret of at least thirty-two characters";
const MAX_BYTES = 4_096;
const sealed = createSealedText({ secret: SECRET, purpose: "test", maxBytes: MAX_BYTES });

function opened(by: SealedText, text: string, place: string): string | null {
  return by.open(text, place, createOpeningBudget());
}

describe("a sealed text", () => {
  test("opens completely on every node, and is the same each time", () => {
    const elsewhere = createSealedText({ secret: SECRET, purpose: "test", maxBytes: MAX_BYTES });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.string(), (text, place) => {
        const carried = sealed.seal(text, place) ?? "";
        expect(carried).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(opened(elsewhere, carried, place)).toBe(text);
        expect(elsewhere.seal(text, place)).toBe(carried);
      }),
    );
  });

  test("does not open after a change, in another place, for another purpose or with another secret", () => {
    const other = createSealedText({ secret: `${SECRET}!`, purpose: "test", maxBytes: MAX_BYTES });
    const purpose = createSealedText({ secret: SECRET, purpose: "else", maxBytes: MAX_BYTES });
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(),
        fc.constantFrom("A", "b", "-", "_", "%", "\0"),
        (text, at, letter) => {
          const carried = sealed.seal(text, "here") ?? "";
          const index = at % carried.length;
          const changed = carried.slice(0, index) + letter + carried.slice(index + 1);
          // The last character has unused bits.
          expect([null, text]).toContain(opened(sealed, changed, "here"));
          if (index < carried.length - 1 && changed !== carried)
            expect(opened(sealed, changed, "here")).toBeNull();
          expect(opened(sealed, carried, "there")).toBeNull();
          expect(opened(sealed, carried.slice(0, index), "here")).toBeNull();
          expect(opened(other, carried, "here")).toBeNull();
          expect(opened(purpose, carried, "here")).toBeNull();
        },
      ),
    );
  });

  test("hides its text, and is shorter than a repetitive text", () => {
    const carried = sealed.seal("think ".repeat(200), "here") ?? "";
    expect(carried.length).toBeLessThan(200);
    expect(Buffer.from(carried, "base64url").toString("latin1")).not.toContain("think");
  });

  test("is refused above the limit, counted in bytes", () => {
    expect(sealed.seal("x".repeat(MAX_BYTES), "here")).not.toBeNull();
    expect(sealed.seal("x".repeat(MAX_BYTES + 1), "here")).toBeNull();
    expect(sealed.seal("é".repeat(MAX_BYTES / 2 + 1), "here")).toBeNull();
    expect(opened(sealed, "A".repeat(1 << 20), "here")).toBeNull();
  });

  test("is opened only about a thousand times per request", () => {
    const budget = createOpeningBudget();
    const carried = sealed.seal("think ".repeat(600), "here") ?? "";
    let times = 0;
    while (times < 100_000 && sealed.open(carried, "here", budget) !== null) times++;
    expect(times).toBeGreaterThan(900);
    expect(times).toBeLessThan(1_200);
  });

  test("is no longer opened after 64 forged ones in the same request", () => {
    const budget = createOpeningBudget();
    const carried = sealed.seal("think", "here") ?? "";
    const forge = () => expect(sealed.open("A".repeat(60), "here", budget)).toBeNull();
    for (let at = 0; at < 63; at++) forge();
    expect(sealed.open(carried, "here", budget)).toBe("think");
    forge();
    expect(sealed.open(carried, "here", budget)).toBeNull();
  });
});
