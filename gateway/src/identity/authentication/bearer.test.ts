import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { createKeyCodec } from "../keys/key-codec.ts";
import { readBearer } from "./bearer.ts";

const codec = createKeyCodec("svc_live_");
const key = codec.mint();

const CASES: [name: string, header: string | null, outcome: string][] = [
  ["no header", null, "unauthorized"],
  ["an empty header", "", "unauthorized"],
  ["another scheme", "Basic dXNlcjpwYXNz", "unauthorized"],
  ["the bare key", key, "unauthorized"],
  ["a scheme that only begins like Bearer", `Bearers ${key}`, "unauthorized"],
  ["another scheme of exactly the right length", `Secret ${key}`, "unauthorized"],
  ["Bearer only at its end", "Basic Bearer ", "unauthorized"],
  ["two headers", `Bearer ${key}, Bearer ${key}`, "unauthorized"],
  ["two headers, the second of another scheme", `Bearer ${key}, Basic x`, "unauthorized"],
  ["two headers, the second empty", `Bearer ${key}, `, "unauthorized"],
  ["two headers that together are as long as one", `Bearer ${key.slice(0, 49)}, x`, "unauthorized"],
  ["Bearer without a key", "Bearer", "invalid_key"],
  ["Bearer and a space", "Bearer ", "invalid_key"],
  ["a trailing space", `Bearer ${key} `, "invalid_key"],
  ["a tab", `Bearer\t${key}`, "unauthorized"],
  ["a space and a tab", `Bearer \t${key}`, "invalid_key"],
  ["a letter behind two spaces", `Bearer  x${key}`, "invalid_key"],
  ["a thousand spaces", `Bearer ${" ".repeat(1024)}${key}`, "invalid_key"],
  ["a line break", `Bearer ${key}\r\n`, "invalid_key"],
  ["NUL in the key", `Bearer ${key.slice(0, -1)}\0`, "invalid_key"],
  ["a look-alike letter", `Bearer ${key.slice(0, -1)}О`, "invalid_key"],
  ["SQL", `Bearer ' or 1=1 --`, "invalid_key"],
  ["another prefix", `Bearer sk_live_${key.slice(9)}`, "invalid_key"],
  ["a good key", `Bearer ${key}`, "ok"],
  ["two spaces", `Bearer  ${key}`, "ok"],
  ["as many spaces as are read", `Bearer${key.padStart(1024 - "Bearer".length)}`, "ok"],
  ["one space more than are read", `Bearer${key.padStart(1025 - "Bearer".length)}`, "invalid_key"],
  ["a scheme in lower case", `bearer ${key}`, "ok"],
  ["a scheme in upper case", `BEARER ${key}`, "ok"],
];

describe("an Authorization header", () => {
  for (const [name, header, outcome] of CASES) {
    test(`with ${name} is ${outcome}`, () => {
      expect(readBearer(header, codec).outcome).toBe(outcome as "ok");
    });
  }

  test("of a megabyte is refused quickly: a thousand times in less than 100 ms", () => {
    const huge = `Bearer ${"x".repeat(1_000_000)}`;
    expect(readBearer(huge, codec).outcome).toBe("invalid_key");
    const thousandTimes = () => {
      for (let i = 0; i < 1_000; i++) readBearer(huge, codec);
    };
    expect(fastestMs(thousandTimes, 3, 100)).toBeLessThan(100);
  });

  test("with random content is never valid and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, bearer) => {
        expect(readBearer(bearer ? `Bearer ${text}` : text, codec).outcome).not.toBe("ok");
      }),
    );
  });
});
