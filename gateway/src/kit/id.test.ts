import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../test/fastest.ts";
import { newId, parseUuid } from "./id.ts";
import { lowestIdAt } from "./id-testing.ts";

describe("ids", () => {
  test("sort by creation time and are unique", () => {
    const before = lowestIdAt(Date.now());
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before <= (ids[0] ?? "")).toBe(true);
    expect((ids.at(-1) ?? "") < lowestIdAt(Date.now() + 1)).toBe(true);
    expect(parseUuid(ids[0] ?? "")).toBe(ids[0]);
  });

  test("lowestIdAt grows with time and is a valid id", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 2 }), (ms) => {
        expect(parseUuid(lowestIdAt(ms))).toBe(lowestIdAt(ms));
        expect(lowestIdAt(ms) < lowestIdAt(ms + 1)).toBe(true);
      }),
    );
  });

  test("lowestIdAt covers 48 bits of milliseconds", () => {
    expect(lowestIdAt(0)).toBe("00000000-0000-0000-0000-000000000000");
    expect(lowestIdAt(2 ** 48 - 1)).toBe("ffffffff-ffff-0000-0000-000000000000");
  });

  test.each([-1, 0.5, 2 ** 48, Number.NaN])("lowestIdAt refuses %p", (ms) => {
    expect(() => lowestIdAt(ms)).toThrow();
  });
});

describe("parseUuid", () => {
  test("accepts any version in any case and returns lower case", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(parseUuid(id.toUpperCase())).toBe(id);
      }),
    );
  });

  const id = "01890000-0000-7000-8000-00000000beef";
  test.each([
    "",
    id.slice(1),
    `${id}0`,
    ` ${id.slice(1)}`,
    `${id.slice(1)}\n`,
    id.replaceAll("-", ""),
    id.replace("b", "g"),
    id.replace("e", "\u0435"),
    `{${id.slice(2)}}`,
    `${id.slice(0, 34)}\u0130x`,
  ])("refuses %j", (text) => {
    expect(parseUuid(text)).toBeUndefined();
  });

  test("refuses a text of ten million characters without reading it", () => {
    const text = "a".repeat(10_000_000);
    expect(parseUuid(text)).toBeUndefined();
    expect(fastestMs(() => parseUuid(text), 3, 1)).toBeLessThan(1);
  });
});
