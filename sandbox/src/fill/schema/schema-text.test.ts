import { describe, expect, test } from "bun:test";
import { accepts } from "../../../../test/schema-judge.ts";
import { createRandom } from "../../random.ts";
import { createPatternBook } from "../pattern/pattern-text.ts";
import { fitsFormat } from "./schema-format.ts";
import { textsOf } from "./schema-text.ts";

function text(schema: Record<string, unknown>, seed: number, from = 0): string | undefined {
  for (const made of textsOf(schema, { random: createRandom(seed), patterns: createPatternBook() }, from))
    return made;
  return undefined;
}

const FORMATS =
  "date date-time time duration email hostname ipv4 ipv6 uri uuid uri-reference json-pointer relative-json-pointer regex iri idn-email idn-hostname iri-reference uri-template byte iso-time iso-date-time".split(
    " ",
  );

const ZOD_DATE_TIME =
  "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z))$";

describe("a made text", () => {
  test.each<Record<string, unknown>>([
    ...FORMATS.map((format) => ({ format })),
    { format: "uri", maxLength: 20 },
    { format: "uri", minLength: 300 },
    { format: "email", maxLength: 12 },
    { format: "email", minLength: 200 },
    { format: "hostname", minLength: 40 },
    { format: "hostname", minLength: 150, maxLength: 150 },
    { format: "hostname", maxLength: 4 },
    { format: "ipv4", minLength: 12 },
    { format: "ipv6", maxLength: 5 },
    { format: "date-time", minLength: 24 },
    { format: "uuid", pattern: "^[0-9a-f-]{36}$" },
    { format: "date", pattern: "^2031-" },
    { format: "byte", minLength: 4 },
    { format: "byte", minLength: 31 },
    { format: "byte", maxLength: 4 },
    { format: "date-time", pattern: "\\+02:00$" },
    { format: "date-time", pattern: "T09:30" },
    { format: "ipv4", pattern: "^10\\." },
    { format: "uri", pattern: "^http://" },
    { format: "uuid", pattern: "^deadbeef-" },
    { pattern: "(?<=\\$)\\d+" },
    { pattern: "^\\p{Emoji_Presentation}{2}$" },
    { format: "email", pattern: "@corp\\.example$" },
    { format: "date-time", pattern: ZOD_DATE_TIME },
    { pattern: "^[a-z]+$", allOf: [{ pattern: "^.{9}$" }] },
    { minLength: 40, maxLength: 41 },
    { maxLength: 0 },
    { maxLength: 3 },
  ])("fits %j", (schema) => {
    for (let seed = 0; seed < 10; seed++) {
      const made = text(schema, seed);
      expect(accepts({ type: "string", ...schema }, made), `made ${made}`).toBe(true);
    }
  });

  test.each<Record<string, unknown>>([
    { format: "uuid" },
    { format: "date" },
    { format: "date-time" },
    { format: "email" },
    { format: "uri" },
    { format: "byte" },
    { format: "date-time", pattern: "\\+02:00$" },
    { maxLength: 2 },
    {},
  ])("differs at each of 200 positions, and fits %j", (schema) => {
    const made = Array.from({ length: 200 }, (_, at) => text(schema, 1, at));
    expect(new Set(made).size).toBe(200);
    for (const each of made) expect(accepts({ type: "string", ...schema }, each), `made ${each}`).toBe(true);
  });

  test.each([
    ["time", "^([01]\\d|2[0-3]):[0-5]\\d$"],
    ["date", "^\\d{2}/\\d{2}/\\d{4}$"],
    ["email", "^[a-z]{3}\\d$"],
  ])("keeps its pattern if the format %s contradicts it", (format, pattern) => {
    for (let seed = 0; seed < 10; seed++) {
      expect(text({ type: "string", format, pattern }, seed)).toMatch(new RegExp(pattern));
    }
  });

  test.each([
    ["date", "2026-02-30"],
    ["date-time", "1240-02-29T19:38Z"],
    ["email", "a@b"],
    ["hostname", "-a.example"],
    ["uri", "no scheme"],
    ["uuid", "12345"],
    ["time", "25:00:00Z"],
    ["duration", "P"],
  ])("does not fit the format %s if it is %s", (format, wrong) => {
    expect(fitsFormat(format, wrong)).toBe(false);
  });
});
