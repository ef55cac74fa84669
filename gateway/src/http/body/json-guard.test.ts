import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { MAX_BACKSLASHES, MAX_JSON_KEYS, MAX_JSON_VALUES } from "./json-guard.ts";
import { readJson } from "./json-testing.ts";

const MAX_DEPTH = 64;
const encoder = new TextEncoder();
const read = (text: string) => readJson(encoder.encode(text), MAX_DEPTH);
const refusal = (text: string) => {
  const reading = read(text);
  return reading.ok ? null : reading.refusal;
};
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("readJson", () => {
  test("reads every valid value as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(read(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test("notes exactly the numbers of 2^53 and above, in every notation", () => {
    const notes = (text: string) => {
      const reading = read(text);
      return reading.ok ? (reading.longNumbers ?? []) : reading.refusal;
    };
    const far = [
      ...["9223372036854775807", "-1234567890123456789", "12345678901234567890", "9007199254740992"],
      ...["9007199254740993.5", "9007199254740992.0", "1e18", "-1E+18", "9.007199254740993e15", "0.00001e30"],
      ...["1234567890123456789e0", "12345678901234567000", "9".repeat(300), "1e400", "-1e400"],
      ...["999999999999999e1", "9007199254740991.9", "1e0000000000000000000018", "1234567890123456789012e-3"],
    ];
    for (const spaces of ["", " ", "\n\t"]) {
      const text = `{S"b":S[${far.map((number) => `S${number}S`).join(",")}]S}`;
      expect(notes(text.replaceAll("S", spaces))).toEqual(far);
    }
    for (const number of far) expect(notes(number)).toEqual([number]);
    for (const near of [
      "[1234567890123456,-9007199254740991,1.1234567890123456789,0.12345678901234567890,1e3,1E-400]",
      "[9007199254740993e-1,1e-1234567890123456789]",
      '["1234567890123456789",{"1234567890123456789":1},"1e20"]',
      "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]",
    ]) {
      expect([near, notes(near)]).toEqual([near, []]);
    }
  });

  test("reads a megabyte of digits within 150 ms, and 100,000 long numbers within 300 ms", () => {
    const digits = "1234567890e".repeat(100_000);
    expect(fastestMs(() => read(`[${digits}]`), 12, 150)).toBeLessThan(150);
    for (const number of ["12345678901234567", "1234567890123456", "0.1234567890123456", "1e5", "1e-05"])
      expect(
        fastestMs(() => read(`[${`${number},`.repeat(100_000)}1]`), 12, 300),
        number,
      ).toBeLessThan(300);
  });

  test("never throws for any bytes, and refuses as syntax only what is not JSON", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        readJson(bytes, MAX_DEPTH);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'"\\u0{}[]:,a1 ') }), (text) => {
        const reading = read(text);
        let parsed = true;
        try {
          JSON.parse(text);
        } catch {
          parsed = false;
        }
        // Whatever is refused as syntax is not JSON, and whatever is read is.
        if (reading.ok) expect(parsed).toBe(true);
        else if (reading.refusal === "syntax") expect(parsed).toBe(false);
      }),
    );
  });

  test("refuses a repeated key at any depth, escaped or not, and no other keys", () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"x":[{"y":{"k":1,"z":0,"k":1}}]}',
      '{"__proto__":1,"__proto__":2}',
      '{"1":1,"1":2}',
      '{"":1,"":2}',
      '{"é":1,"\\u00e9":2}',
    ]) {
      expect([text, refusal(text)]).toEqual([text, "duplicate_key"]);
    }
    for (const text of [
      '{"a":"x:y:z","b":"\\"a\\":1"}',
      '{"a":{"a":{"a":1}}}',
      '[{"a":1},{"a":1}]',
      '{"é":":","è":"漢:字"}',
      '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
    ]) {
      expect([text, refusal(text)]).toEqual([text, null]);
    }
  });

  test("refuses an object exactly if two of its keys are equal", () => {
    const entry = fc.tuple(fc.string({ unit: fc.constantFrom(...'ab\\":é') }), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        const distinct = new Set(entries.map(([key]) => key)).size === entries.length;
        expect(refusal(`{${members.join(",")}}`)).toBe(distinct ? null : "duplicate_key");
      }),
    );
  });

  test("allows a depth of 64 and refuses 65", () => {
    expect(refusal(nested(64))).toBeNull();
    expect(refusal(nested(65))).toBe("too_deep");
    expect(refusal(`{"a":${nested(63)}}`)).toBeNull();
    expect(refusal(`{"a":${nested(64)}}`)).toBe("too_deep");
    expect(refusal(JSON.stringify("[".repeat(1000)))).toBeNull();
  });

  test("refuses a depth of 100,000 within 50 ms", () => {
    for (const unit of ["[", '{"a":', '[{"a":']) {
      const deep = unit.repeat(100_000);
      expect(refusal(deep)).toBe("too_deep");
      expect(fastestMs(() => refusal(deep), 3, 50)).toBeLessThan(50);
    }
  });

  test("refuses NUL and lone surrogates, but not their escapes as plain text", () => {
    expect(refusal('{"a":"x\\u0000"}')).toBe("nul");
    expect(refusal('{"a\\u0000":1}')).toBe("nul");
    expect(refusal('["\\ud800"]')).toBe("lone_surrogate");
    expect(refusal('["\\uDC00x"]')).toBe("lone_surrogate");
    expect(refusal('["\\ud83d\\ude00"]')).toBeNull();
    expect(refusal('["\\\\u0000 \\\\ud800"]')).toBeNull();
    expect(refusal('["\\\\\\u0000"]')).toBe("nul");
    expect(refusal('["\\u0001\\u00e9"]')).toBeNull();
  });

  test("refuses a byte order mark, invalid UTF-8 and raw control characters", () => {
    expect(refusal("\ufeff{}")).toBe("byte_order_mark");
    const invalid = [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]];
    for (const bytes of invalid) {
      expect(readJson(new Uint8Array([0x22, ...bytes, 0x22]), MAX_DEPTH)).toEqual({
        ok: false,
        refusal: "not_utf8",
      });
    }
    expect(refusal('"\u0000"')).toBe("syntax");
    expect(refusal('"\n"')).toBe("syntax");
  });

  test("refuses what is not JSON", () => {
    for (const text of [
      "",
      " ",
      "{",
      '{"a"}',
      "{'a':1}",
      "[1,]",
      "NaN",
      "01",
      '"',
      '"\\"',
      "{} {}",
      "]".repeat(99),
    ]) {
      expect([text, refusal(text)]).toEqual([text, "syntax"]);
    }
  });

  test("does not let keys reach a prototype", () => {
    const reading = read('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    const value = (reading.ok ? reading.value : null) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect([value["polluted"], ({} as Record<string, unknown>)["polluted"]]).toEqual([undefined, undefined]);
  });

  test("refuses too many keys or values before it parses them", () => {
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `"${at * 7_919}":1`).join(",");
    const list = (count: number, item: string) => `[${Array(count).fill(item).join(",")}]`;
    const ofThree = '{"a":1,"b":1,"c":1}';
    expect(refusal(list(MAX_JSON_KEYS / 3, ofThree))).toBeNull();
    expect(refusal(list(MAX_JSON_VALUES, "1"))).toBeNull();
    for (const [text, says] of [
      [`{${keys(MAX_JSON_KEYS + 1)}}`, "too_many_keys"],
      [list(MAX_JSON_KEYS / 3 + 1, ofThree), "too_many_keys"],
      [list(MAX_JSON_VALUES + 1, "1"), "too_many_values"],
      [list(MAX_JSON_VALUES, "[]"), "too_many_values"],
    ] as const) {
      expect(refusal(text)).toBe(says);
      // Without the last bracket, a parser would have refused it for that instead.
      expect(refusal(text.slice(0, -1))).toBe(says);
    }
  });

  test("counts a numeric key as several keys, however it is written", () => {
    const members = (count: number, key: (at: number) => string, colon = ":") =>
      `{${Array.from({ length: count }, (_, at) => `"${key(at)}"${colon}1`).join(",")}}`;
    const scattered = (at: number) => String((at * 2_654_435_761) >>> 0);
    const escaped = (at: number) => `\\u0031${at}`;
    const halfEscaped = (at: number) => `1\\u0030${at}`;
    const tooMany = MAX_JSON_KEYS / 4 + 1;
    for (const text of [
      members(tooMany, scattered),
      members(tooMany, scattered, "\t: "),
      members(tooMany, escaped),
      members(tooMany, halfEscaped),
      `[${Array.from({ length: tooMany / 3 + 1 }, (_, at) => members(3, (one) => scattered(3 * at + one))).join(",")}]`,
    ]) {
      expect([text.slice(0, 40), refusal(text)]).toEqual([text.slice(0, 40), "too_many_keys"]);
    }
    expect(refusal(members(tooMany - 10, scattered))).toBeNull();
    expect(refusal(members(2 * tooMany, (at) => `${at}-beginning-of-an-id`))).toBeNull();
    expect(refusal(members(2 * tooMany, (at) => `\\u4e2d${at}`))).toBeNull();
    expect(refusal(members(2 * tooMany, (at) => `\\u003c${at}`))).toBeNull();
    expect(refusal(members(2 * tooMany, (at) => `\\nab3${at}`))).toBeNull();
  });

  test("counts a long number as several values, in proportion to its length", () => {
    const list = (count: number, item: string) => `[${Array(count).fill(item).join(",")}]`;
    for (const number of ["12345678901234567", "0.1234567890123456", "-1234567890123456e-3"]) {
      expect(refusal(list(MAX_JSON_VALUES / 4 + 1, number)), number).toBe("too_many_values");
      expect(refusal(list(MAX_JSON_VALUES / 4 - 1, number)), number).toBeNull();
    }
    expect(refusal(list(MAX_JSON_VALUES / 2, "0.123456789"))).toBeNull();
    const digits = "7".repeat(4 * MAX_JSON_VALUES);
    for (const number of [`${digits}7777`, `-0.${digits}7777`, `1e${digits}77`])
      expect(refusal(`[${number}]`)).toBe("too_many_values");
    expect(refusal(`[${digits.slice(8)}]`)).toBeNull();
    expect(refusal(`["${digits}${digits}"]`)).toBeNull();
  });

  test("refuses too many backslashes before it parses them", () => {
    const backslashes = (count: number) => new Uint8Array(2 * MAX_BACKSLASHES + 2).fill(0x5c, 0, count);
    const saidOf = (count: number) => {
      const reading = readJson(backslashes(count), MAX_DEPTH);
      return reading.ok ? null : reading.refusal;
    };
    expect(saidOf(MAX_BACKSLASHES)).toBe("syntax");
    expect(saidOf(MAX_BACKSLASHES + 1)).toBe("too_many_backslashes");
    const newlines = encoder.encode(JSON.stringify("\n".repeat(MAX_BACKSLASHES + 1)));
    expect(fastestMs(() => readJson(newlines, MAX_DEPTH), 5, 150)).toBeLessThan(150);
  });

  test("reads a megabyte of text full of backslashes or quotes within 250 ms", () => {
    for (const text of [
      JSON.stringify("\\".repeat(500_000)),
      JSON.stringify('"'.repeat(500_000)),
      JSON.stringify('\\"'.repeat(250_000)),
      '"'.repeat(1_000_001),
      `"${"\\".repeat(1_000_000)}`,
      JSON.stringify("a".repeat(1_000_000)),
    ]) {
      expect(fastestMs(() => read(text), 3, 250)).toBeLessThan(250);
    }
  });
});
