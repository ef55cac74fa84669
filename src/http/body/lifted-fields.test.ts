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
    expect(Object.keys(value)).toEqual(["a", "media", "sound", "z"]);
    expect(value["z"]).toHaveLength(70_000);
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
    const rest = restOf(`{"media":"${LONG}","media":"${LONG}"}`);
    expect(rest).toMatch(/^\{"media":"(@[0-9a-f-]{36})","media":"(?!\1)@[0-9a-f-]{36}"\}$/);
  });
});

test("no text that a client writes stands for what was cut out, neither of this body nor of another", () => {
  const json = `{"media":"${LONG}"}`;
  const marks = [1, 2].map(() => (JSON.parse(restOf(json)) as { media: string }).media);
  const { lifted } = lift(json);
  for (const text of ["@0", "@1", "hello", ...marks]) expect(longTextOf(text, lifted)).toBe(text);
});

test("whatever the body, what is put back is what was sent", () => {
  const member = fc.tuple(fc.constantFrom("media", "sound", "x", 'a"media'), fc.nat(3), fc.string());
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), (members) => {
      const text = (long: number, tail: string) => (long === 0 ? LONG : "") + tail;
      const json = `{${members.map(([key, long, tail]) => `${JSON.stringify(key)}:${JSON.stringify(text(long, tail))}`).join(",")}}`;
      const { rest, lifted } = lift(json);
      let back = new TextDecoder().decode(rest);
      for (const [mark, found] of lifted) {
        back = back.replace(mark, () => Buffer.from(found.slice(0, found.length), "latin1").toString());
      }
      expect(back).toBe(json);
    }),
    { numRuns: 50 },
  );
});
