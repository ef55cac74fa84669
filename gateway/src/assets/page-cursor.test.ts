import { expect, test } from "bun:test";
import fc from "fast-check";
import { createPageCursors } from "./page-cursor.ts";

const cursors = createPageCursors("a secret that is long enough for tests");
const ORG = "0190e3c2-0000-7000-8000-000000000001";
const place = fc.record({
  createdUs: fc.bigInt({ min: 0n, max: 99_999_999_999_999_999n }).map(String),
  id: fc.uuid(),
});

test("a cursor decodes to its position", () => {
  fc.assert(
    fc.property(place, (there) => {
      expect(cursors.decode(ORG, {}, cursors.encode(ORG, {}, there))).toEqual(there);
    }),
  );
});

test("an altered cursor or any other text is refused", () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 32, max: 126 }), (there, at, code) => {
      const cursor = cursors.encode(ORG, {}, there);
      const index = at % cursor.length;
      const altered = cursor.slice(0, index) + String.fromCharCode(code) + cursor.slice(index + 1);
      fc.pre(altered !== cursor);
      expect(cursors.decode(ORG, {}, altered)).toBeNull();
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => cursors.decode(ORG, {}, text) === null));
});

test("a cursor is valid for one organization, one filter and one secret", () => {
  const there = { createdUs: "1", id: ORG };
  const cursor = cursors.encode(ORG, { type: "image" }, there);
  expect(cursors.decode(ORG, { type: "image" }, cursor)).toEqual(there);
  expect(cursors.decode(ORG, {}, cursor)).toBeNull();
  expect(cursors.decode(ORG, { type: "image", model: "x" }, cursor)).toBeNull();
  expect(cursors.decode(ORG.replace("1", "2"), { type: "image" }, cursor)).toBeNull();
  expect(createPageCursors("another secret").decode(ORG, { type: "image" }, cursor)).toBeNull();
});
