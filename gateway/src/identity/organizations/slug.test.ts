import { expect, test } from "bun:test";
import fc from "fast-check";
import { isSlug, numberedSlug, slugFromName } from "./slug.ts";

test.each([
  ["Acme", "acme"],
  ["Ärzte & Söhne", "arzte-sohne"],
  ["  Two   Words  ", "two-words"],
  ["日本", "org"],
  ["---", "org"],
  ["0190a6e0-0000-7000-8000-000000000000", "org-0190a6e0-0000-7000-8000-000000000000"],
  ["Ørsted", "orsted"],
  ["Łódź Æther", "lodz-aether"],
  ["Große Straße", "grosse-strasse"],
])("%p becomes %p", (name, slug) => {
  expect(slugFromName(name)).toBe(slug);
});

test("any name gives a valid slug, numbered or not", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "grapheme" }), fc.uuid()),
      fc.integer({ min: 1, max: 20 }),
      (name, n) => {
        expect(isSlug(numberedSlug(slugFromName(name), n))).toBe(true);
      },
    ),
  );
});
