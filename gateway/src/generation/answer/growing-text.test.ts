import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { GrowingText } from "./growing-text.ts";

test("a growing text is its pieces in order, whenever it is read", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string()), { maxLength: 8 }), (stretches) => {
      const text = new GrowingText();
      let expected = "";
      for (const pieces of stretches) {
        for (const piece of pieces) text.add(piece);
        expected += pieces.join("");
        expect(text.whole()).toBe(expected);
      }
    }),
  );
});

test("a growing text does not keep the larger strings that its pieces were cut from", () => {
  const texts = Array.from({ length: 20 }, () => new GrowingText());
  Bun.gc(true);
  const before = heapStats().heapSize;
  for (let at = 0; at < 2_000; at++) {
    for (const text of texts) {
      const arrived = `data: {"n":${at},"filler":"${"x".repeat(1_000)}","content":"word ${at} "}`;
      text.add(arrived.slice(-14, -2));
    }
  }
  Bun.gc(true);
  // 40 MB arrived, of which a model wrote less than half a megabyte.
  expect(heapStats().heapSize - before).toBeLessThan(8 << 20);
  expect(texts[0]?.whole()).toHaveLength(24_000);
});
