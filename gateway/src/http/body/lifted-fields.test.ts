import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_BACKSLASHES } from "./json-guard.ts";
import { type LiftedTexts, liftFields, longTextOf } from "./lifted-fields.ts";

const LONG = "A".repeat(70_000);
const lift = (json: string) => liftFields(new TextEncoder().encode(json), ["media", "sound"]);
const restOf = (json: string) => new TextDecoder().decode(lift(json).rest);

describe("long values of the lifted fields", () => {
  test("are cut out of the body and read in pieces", () => {
    const { rest, lifted } = lift(`{"a":1,"media" :\n"${LONG}b","sound":"${LONG}","z":"${LONG}"}`);
    const value = JSON.parse(new TextDecoder().decode(rest)) as Record<string, string>;
    expect(Object.keys(value)).toEqual(["a", "media", "sound", "z"]);
    expect(value["z"]).toHaveLength(70_000);
    const text = longTextOf(value["media"] ?? "", lifted);
    expect([text.length, text.slice(69_998, 70_001)]).toEqual([70_001, "AAb"]);
  });

  test.each([
    ["short values", `{"media":"short","x":"${LONG}"}`],
    ["values with escapes that base64 does not need", `{"media":"${LONG}\\t"}`],
    ["values with an escaped quote", `{"media":"${LONG}\\""}`],
    ["values with an escaped backslash", `{"media":"${LONG}\\\\"}`],
    ["values with an incomplete escape", `{"media":"${LONG}\\u002"}`],
    ["look-alikes within a string", `{"x":"\\"media\\":\\"${LONG}"}`],
    ["arrays of strings", `{"media":["${LONG}"]}`],
    ["values without an end", `{"media":"${LONG}`],
  ])("are not cut out if they are %s", (_, json) => {
    expect(restOf(json)).toBe(json);
  });

  test("are replaced by different placeholders if a field is repeated, so that it is refused", () => {
    const rest = restOf(`{"media":"${LONG}","media":"${LONG}"}`);
    expect(rest).toMatch(/^\{"media":"(@[0-9a-f-]{36})","media":"(?!\1)@[0-9a-f-]{36}"\}$/);
  });
});

describe("escapes in base64 text", () => {
  test("are decoded when any part of the text is read", () => {
    const written = `\\r\\n${LONG}\\/\\u002b\\u002F${LONG}\\u003D`;
    const { rest, lifted } = lift(`{"media":"${written}"}`);
    const [[mark, text] = raise("nothing was cut out")] = lifted;
    expect(JSON.parse(Buffer.from(rest).toString())).toEqual({ media: mark });
    const whole = JSON.parse(`"${written}"`) as string;
    expect(text.length).toBe(whole.length);
    const places = [0, 1, 2, 65_535, 65_536, 65_537, 70_000, 70_003, 131_072, 140_005, 140_006, 200_000];
    for (const start of places) {
      for (const end of places) expect(text.slice(start, end)).toBe(whole.slice(start, end));
    }
    const unbroken = text.withoutLineBreaks?.() ?? raise("its line breaks are not known");
    expect(unbroken.slice(0, unbroken.length)).toBe(whole.slice(2));
    expect(unbroken.slice(69_990, 140_000)).toBe(whole.slice(69_992, 140_002));
    for (const [, plain] of lift(`{"media":"${LONG}\\/"}`).lifted)
      expect(plain.withoutLineBreaks?.()).toBeNull();
  });

  test("leave the bytes of the body unchanged, because they identify a repeated call", () => {
    const bytes = Buffer.from(`{"media":"${LONG}\\/\\n"}`);
    const before = Buffer.from(bytes);
    for (const text of liftFields(bytes, ["media"]).lifted.values()) text.slice(0, text.length);
    expect(bytes.equals(before)).toBe(true);
  });

  test("are left in the body if there are too many, so that it is refused", () => {
    const [most, one] = [`{"media":"${"\\/".repeat(MAX_BACKSLASHES)}"`, `,"sound":"${LONG}","x":"\\/"}`];
    expect(restOf(`${most}}`).length).toBeLessThan(100);
    expect(restOf(most + one)).toStartWith(most);
  });

  test.each([
    ["everywhere", (at: number) => (at % 7 === 0 ? "\\n" : at % 11 === 0 ? "\\u002F" : "A")],
    ["at its beginning alone", (at: number) => (at < 3 ? "\\/" : "B")],
    ["at its end alone", (at: number) => (at > 299_990 ? "\\r\\n" : "C")],
    ["in a long stretch", (at: number) => (at > 100_000 && at < 200_000 ? "\\n" : "D")],
  ])("are decoded in every piece of a long text that has them %s", (_, letterAt) => {
    const written = Array.from({ length: 300_000 }, (_none, at) => letterAt(at)).join("");
    const [text] = lift(`{"media":"${written}"}`).lifted.values();
    const meant: string = JSON.parse(`"${written}"`);
    for (const [given, sought] of [
      [text, meant],
      [text?.withoutLineBreaks?.() ?? text, meant.replace(/[\r\n]+/g, "")],
    ] as const) {
      expect(given?.length).toBe(sought.length);
      for (let at = 0; at < sought.length; at += 40_001)
        expect(given?.slice(at, at + 90_000) === sought.slice(at, at + 90_000)).toBe(true);
    }
  });
});

test("a body with any escapes and faults has the same content with its long values cut out", () => {
  const name = fc.constantFrom("media", "sound", "x", "m\\u0065dia", 'a\\"media');
  const part = fc.constantFrom(
    ...["\\/", "\\n", "\\r", "\\u002b", "\\u002B", "\\u002f", "\\u003d", "\\u003D", "a=", LONG, LONG, LONG],
    ...['\\"', "\\\\", "\\t", "\\u0041", "\\u012b", "\\u002", "\\", '"', "é", "\x01"],
  );
  const value = fc.array(part, { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (members) => {
      const json = `{${members.map(([key, parts]) => `"${key}":"${parts.join("")}"`).join(",")}}`;
      const { rest, lifted } = lift(json);
      const texts = [...lifted.values()].map((text) => text.slice(0, text.length));
      // A control character is not base64 either: whoever reads the text refuses it.
      if (texts.some((text) => text.includes("\x01"))) return;
      expect(putBack(parsed(Buffer.from(rest).toString()), lifted)).toEqual(parsed(json));
    }),
    { numRuns: 300 },
  );
});

function parsed(json: string): Record<string, string> | null {
  try {
    return JSON.parse(json) as Record<string, string>;
  } catch {
    return null;
  }
}

function putBack(body: Record<string, string> | null, lifted: LiftedTexts): Record<string, string> | null {
  if (body === null) return null;
  const whole = (value: string) => {
    const text = lifted.get(value);
    return text === undefined ? value : Buffer.from(text.slice(0, text.length), "latin1").toString();
  };
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, whole(value)]));
}

function raise(message: string): never {
  throw new Error(message);
}

test("a client's text never stands for a value that was cut out of this body or another", () => {
  const json = `{"media":"${LONG}"}`;
  const marks = [1, 2].map(() => (JSON.parse(restOf(json)) as { media: string }).media);
  const { lifted } = lift(json);
  for (const text of ["@0", "@1", "hello", ...marks]) expect(longTextOf(text, lifted)).toBe(text);
});

test("putting the cut values back gives the body that was sent", () => {
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
