import { expect, test } from "bun:test";
import fc from "fast-check";
import { packPieces } from "./pieces.ts";

test("packPieces returns every piece unchanged, and an empty text beyond the last", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (pieces) => {
      const packed = packPieces(pieces);
      expect(packed.length).toBe(pieces.length);
      expect(pieces.map((_, at) => packed.at(at))).toEqual(pieces);
      expect(packed.at(pieces.length)).toBe("");
    }),
  );
});
