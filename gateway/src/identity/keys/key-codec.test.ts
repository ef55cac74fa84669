import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createKeyCodec } from "./key-codec.ts";

const codec = createKeyCodec("svc_live_");
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("an API key", () => {
  test("is the prefix and 43 base62 characters, and parses", () => {
    for (let i = 0; i < 200; i++) {
      const key = codec.mint();
      expect(key).toMatch(/^svc_live_[0-9A-Za-z]{43}$/);
      expect(codec.parseKey(key)).toBe(key);
    }
  });

  test("ends in CRC-32 of prefix and random part, in base62", () => {
    const key = codec.mint();
    const value = [...key.slice(-6)].reduce((sum, char) => sum * 62 + BASE62.indexOf(char), 0);
    expect(value).toBe(Bun.hash.crc32(key.slice(0, -6)));
  });

  test("is refused after any single-character typo", () => {
    const typo = fc.tuple(fc.nat(51), fc.constantFrom(...BASE62, "_", "-", " ", "\0", "é", "О", "\n"));
    fc.assert(
      fc.property(typo, ([at, char]) => {
        const key = codec.mint();
        fc.pre(key[at] !== char);
        expect(codec.parseKey(key.slice(0, at) + char + key.slice(at + 1))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  test("is refused when two neighbours are swapped, one is lost or one is added", () => {
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 50 }), fc.constantFrom(...BASE62), (at, char) => {
        const key = codec.mint();
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        if (swapped !== key) expect(codec.parseKey(swapped)).toBeUndefined();
        expect(codec.parseKey(key.slice(0, at) + key.slice(at + 1))).toBeUndefined();
        expect(codec.parseKey(key.slice(0, at) + char + key.slice(at))).toBeUndefined();
      }),
    );
  });

  test("parsing never throws, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string({ minLength: 52, maxLength: 52 })),
        (text) => {
          expect(codec.parseKey(text)).toBeUndefined();
        },
      ),
    );
  });

  test.each(["", "svc-live", "-svc", "svc live", "svc\n", "a".repeat(33), "é"])(
    "has no prefix that an address, a log or a shell could cut: %j",
    (prefix) => {
      expect(() => createKeyCodec(prefix)).toThrow("not a key prefix");
    },
  );

  test("has a prefix of 1 to 32 characters", () => {
    for (const prefix of ["a", "a".repeat(32)]) {
      const other = createKeyCodec(prefix);
      expect(other.keyChars).toBe(prefix.length + 43);
      expect(other.parseKey(other.mint())).toStartWith(prefix);
    }
  });

  test("of another prefix is refused", () => {
    expect(codec.parseKey(createKeyCodec("svc_test_").mint())).toBeUndefined();
  });

  test("draws every character of the alphabet about equally often", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2_000; i++) {
      for (const char of codec.mint().slice(9, 46)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    const expected = (2_000 * 37) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.25);
  });
});
