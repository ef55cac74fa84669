import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { createRandom, type Random } from "../../random.ts";
import { createEffort } from "../schema-reader.ts";
import { createPatternBook, type Length } from "./pattern-book.ts";

/** The first text that matches; undefined if none was found. */
function textOfPattern(pattern: string, length: Length, random: Random): string | undefined {
  return createPatternBook(createEffort()).texts(pattern, length, random).next().value;
}

const ANY_LENGTH = { min: 0, max: Number.POSITIVE_INFINITY };

const PATTERNS: readonly string[] = [
  "^[A-Z]{3}-\\d{4}$",
  "^(red|green|blue)$",
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "^\\+?[1-9]\\d{1,14}$",
  "^#(?<hex>[0-9a-fA-F]{6})$",
  "^\\w+@\\w+\\.[a-z]{2,}$",
  "^[^\\s]+$",
  "\\bcat\\b",
  "^\\u0041\\x42\\t$",
  "^.{3,5}?$",
  "^[\\w.-]+$",
  "^a*$",
  "",
  "^(?=.*[A-Z])(?=.*\\d).{8,}$",
  "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[@$!%*?&])[A-Za-z\\d@$!%*?&]{8,20}$",
  "^(?=.{8,32}$)[a-z]+$",
  "^(?!admin)[a-z]{4,8}$",
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  "^\\p{Emoji_Presentation}+$",
  "^\\p{Script=Thai}\\p{Script=Hebrew}$",
  "^[a-f0-9]{512}$",
  "^sha256:[a-f0-9]{64}$",
  "^\\p{Lu}\\p{L}*$",
  "^\\p{Script=Greek}{2}$",
  "^[\\u4e00-\\u9fa5]{2,4}$",
  "^[\\[\\]()]{2}x$",
  "^[^a-zA-Z0-9]{4}$",
  "^\\u{1F600}+$",
  "^(foo|bar)+$",
  "^foo|bar$",
  "^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$",
  "^(?:[A-Z]{2}){2,3}$",
  "^(.|\\n){3}$",
  "^[-+]?\\d*\\.?\\d+$",
  "^(a|b|c)(,(a|b|c))*$",
  "\\.(jpg|png)$",
];

/** Patterns with lengths that some matching text has. */
const LENGTHS: readonly [string, Length][] = [
  ["foo", { min: 12, max: 12 }],
  ["\\.(jpg|png)$", { min: 20, max: 30 }],
  ["^(?:0|[1-9]\\d*)$", { min: 3, max: 8 }],
  ["^(ab|c)+$", { min: 7, max: 7 }],
  ["^(a|bbbbbb)$", { min: 3, max: 100 }],
  ["^[a-z]+$", { min: 12, max: 12 }],
  ["^[A-Z]+[0-9]*$", { min: 6, max: 9 }],
  ["^\\d{1,3}(,\\d{3})*$", { min: 10, max: 12 }],
  ["^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$", { min: 40, max: 40 }],
  ["^a?b?c?[xyz]{0,3}$", { min: 6, max: 6 }],
  ["^(?:[^/]+/)*$", { min: 12, max: 14 }],
];

describe("a text made from a pattern", () => {
  test.each([...PATTERNS])("matches %j", (pattern) => {
    for (let seed = 0; seed < 20; seed++) {
      const text = textOfPattern(pattern, ANY_LENGTH, createRandom(seed));
      expect(text).toMatch(new RegExp(pattern, "u"));
    }
  });

  test.each([...LENGTHS])("matches %j and has the length %j", (pattern, length) => {
    for (let seed = 0; seed < 20; seed++) {
      const text = textOfPattern(pattern, length, createRandom(seed)) ?? "";
      expect(text).toMatch(new RegExp(pattern, "u"));
      expect(text.length).toBeGreaterThanOrEqual(length.min);
      expect(text.length).toBeLessThanOrEqual(length.max);
    }
  });

  test("is undefined if no matching text has that length", () => {
    expect(textOfPattern("^[a-z]{5}$", { min: 0, max: 3 }, createRandom(1))).toBeUndefined();
  });

  test.each([
    "(?=a)b",
    "(a)\\1",
    "(?<=a)b",
    "(",
    "a)",
    "[",
    "[]",
    "*",
    "(".repeat(50),
    "\\",
    "\\p{Nonsense}",
    "[z-a]",
  ])("is undefined for a pattern that is broken or matches nothing: %j", (pattern) => {
    expect(textOfPattern(pattern, ANY_LENGTH, createRandom(1))).toBeUndefined();
  });

  test("has an open brace as it is, if it begins no repeat", () => {
    expect(textOfPattern("^a{2$", ANY_LENGTH, createRandom(1))).toBe("a{2");
  });

  test("is made and matched quickly for nested repeats and other hostile patterns", () => {
    const nested = () => textOfPattern("((^{999}){999}){999}", ANY_LENGTH, createRandom(1));
    const endless = () => textOfPattern("^(a+)+$", { min: 400, max: 400 }, createRandom(1));
    const huge = () => textOfPattern("^(.{9999}){9999}$", ANY_LENGTH, createRandom(1));
    const wicked = () => createPatternBook(createEffort()).matches("^(a|a)*(a+)+$", `${"a".repeat(300)}!`);
    expect(nested() ?? "").toBe("");
    expect(endless()?.length ?? 400).toBe(400);
    expect(huge()).toBeUndefined();
    expect(wicked()).toBe(true);
    expect(fastestMs(nested) + fastestMs(endless) + fastestMs(huge) + fastestMs(wicked)).toBeLessThan(100);
  });
});

describe("a text matched against a pattern", () => {
  test("gets the same result as from the runtime's RegExp", () => {
    const some = fc.array(fc.constantFrom(..."aAzZ09-_.@/ ,bcx\n"), { maxLength: 12 });
    const pattern = fc.constantFrom(
      ...PATTERNS,
      ...LENGTHS.map(([each]) => each),
      "^(a|ab)(c|bc)?$",
      "a\\Bb",
    );
    fc.assert(
      fc.property(pattern, some, (expression, characters) => {
        const text = characters.join("");
        expect(createPatternBook(createEffort()).matches(expression, text)).toBe(
          new RegExp(expression, "u").test(text),
        );
      }),
      { numRuns: 500 },
    );
  });
});
