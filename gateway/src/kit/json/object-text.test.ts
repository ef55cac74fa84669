import { expect, test } from "bun:test";
import fc from "fast-check";
import { ObjectText } from "./object-text.ts";

function isClosed(...pieces: string[]): boolean {
  const object = new ObjectText();
  for (const piece of pieces) object.push(piece);
  return object.isClosed;
}

test("an object is closed at its end and not before, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
      const text = ` ${JSON.stringify(value, null, cut % 3)}\n`;
      const at = cut % text.length;
      expect(isClosed(text.slice(0, at), text.slice(at))).toBe(true);
      expect(isClosed(text.slice(0, at))).toBe(text.slice(at).trim() === "" && at > 0);
    }),
  );
});

test("text after an object, or something other than an object, is not a closed object", () => {
  for (const text of ["{}{}", "{}}", "{} 1", '{}"', "[]", "1 {}", '"{}"', "", "}{}"])
    expect(isClosed(text)).toBe(false);
});
