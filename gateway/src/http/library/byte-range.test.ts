import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeRange } from "./byte-range.ts";

test("a decoded range is within the file for any Range header", () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.nat(30), fc.nat(30)).map(([from, to]) => `bytes=${from}-${to}`),
    fc.nat(30).map((from) => `bytes=${from}-`),
    fc.nat(30).map((length) => `bytes=-${length}`),
  );
  fc.assert(
    fc.property(header, fc.integer({ min: 1, max: 20 }), (text, sizeBytes) => {
      const range = decodeRange(text, sizeBytes);
      if (typeof range === "string") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.length).toBeGreaterThan(0);
      expect(range.start + range.length).toBeLessThanOrEqual(sizeBytes);
    }),
  );
});

test("a Range header is decoded as the HTTP standard says", () => {
  expect(decodeRange("bytes=2-4", 10)).toEqual({ start: 2, length: 3 });
  expect(decodeRange("BYTES=2-4", 10)).toEqual({ start: 2, length: 3 });
  expect(decodeRange("bytes=2-", 10)).toEqual({ start: 2, length: 8 });
  expect(decodeRange("bytes=-3", 10)).toEqual({ start: 7, length: 3 });
  expect(decodeRange("bytes=-30", 10)).toEqual({ start: 0, length: 10 });
  expect(decodeRange("bytes=9-99", 10)).toEqual({ start: 9, length: 1 });
  expect(decodeRange("bytes=10-", 10)).toBe("outside");
  expect(decodeRange("bytes=-0", 10)).toBe("outside");
  expect(decodeRange("bytes=4-2", 10)).toBe("whole");
  expect(decodeRange(null, 10)).toBe("whole");
});
