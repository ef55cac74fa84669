import { expect, test } from "bun:test";
import fc from "fast-check";
import { hasMoreBackslashes } from "./many-backslashes.ts";

test("backslashes are counted at every offset of a body, at any alignment", () => {
  const byte = fc.constantFrom(0x5b, 0x5c, 0x5d, 0xdc, 0x00, 0xff);
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), fc.nat(7), fc.nat(12), (body, before, most) => {
      const bytes = Uint8Array.from([...Array(before).fill(0x5c), ...body]).subarray(before);
      const count = body.filter((each) => each === 0x5c).length;
      expect(hasMoreBackslashes(bytes, most)).toBe(count > most);
    }),
  );
});
