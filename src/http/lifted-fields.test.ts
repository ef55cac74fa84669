import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { liftFields, longTextOf } from "./lifted-fields.ts";

const LONG = "A".repeat(70_000);
const lift = (json: string) => liftFields(new TextEncoder().encode(json), ["media", "sound"]);
const restOf = (json: string) => new TextDecoder().decode(lift(json).rest);

describe("long values of the named fields", () => {
  test("are cut out, and read in pieces", () => {
    const { rest, lifted } = lift(`{"a":1,"media" :\n"${LONG}b","sound":"${LONG}","z":"${LONG}"}`);
    const value = JSON.parse(new TextDecoder().decode(rest)) as Record<string, string>;
    expect({ ...value, z: value["z"]?.length }).toEqual({
      a: 1,
      media: "@0",
      sound: "@1",
      z: 70_000,
    } as never);
    const text = longTextOf(value["media"] ?? "", lifted);
    expect([text.length, text.slice(69_998, 70_001)]).toEqual([70_001, "AAb"]);
  });

  test.each([
    ["short ones", `{"media":"short","x":"${LONG}"}`],
    ["those with escapes", `{"media":"${LONG}\\/"}`],
    ["what only looks like one, within a string", `{"x":"\\"media\\":\\"${LONG}"}`],
    ["what is no string", `{"media":["${LONG}"]}`],
    ["what is cut off", `{"media":"${LONG}`],
  ])("%s stay where they are", (_, json) => {
    expect(restOf(json)).toBe(json);
  });

  test("that are repeated stay repeated, so that they are refused", () => {
    expect(restOf(`{"media":"${LONG}","media":"${LONG}"}`)).toBe('{"media":"@0","media":"@1"}');
  });
});

test("a text that names what was never cut out stands for itself", () => {
  expect(longTextOf("@0", [])).toBe("@0");
  expect(longTextOf("hello", [LONG])).toBe("hello");
});

test("whatever the body, what is put back is what was sent", () => {
  const member = fc.tuple(fc.constantFrom("media", "sound", "x", 'a"media'), fc.nat(3), fc.string());
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), (members) => {
      const text = (long: number, tail: string) => (long === 0 ? LONG : "") + tail;
      const json = `{${members.map(([key, long, tail]) => `${JSON.stringify(key)}:${JSON.stringify(text(long, tail))}`).join(",")}}`;
      const { rest, lifted } = lift(json);
      const back = new TextDecoder().decode(rest).replace(/"@(\d+)"/g, (mark, place) => {
        const found = lifted[Number(place)];
        return found ? `"${Buffer.from(found.slice(0, found.length), "latin1").toString()}"` : mark;
      });
      expect(back).toBe(json);
    }),
    { numRuns: 50 },
  );
});
