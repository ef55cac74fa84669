import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import { createRandom } from "../random.ts";
import { textOfPattern } from "./pattern-text.ts";

const ANY_LENGTH = { min: 0, max: Number.POSITIVE_INFINITY };

describe("textOfPattern", () => {
  test.each([
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
  ])("makes a text that matches %j", (pattern) => {
    for (let seed = 0; seed < 20; seed++) {
      const text = textOfPattern(pattern, ANY_LENGTH, createRandom(seed));
      expect(text).toMatch(new RegExp(pattern, "u"));
    }
  });

  test("lengthens open-ended repeats to a minimum and keeps a maximum", () => {
    const random = createRandom(1);
    expect(textOfPattern("^[a-z]+$", { min: 12, max: 12 }, random)).toMatch(/^[a-z]{12}$/);
    expect(textOfPattern("^[A-Z]+[0-9]*$", { min: 6, max: 9 }, random)).toMatch(/^[A-Z]+[0-9]*$/);
    expect(textOfPattern("^[a-z]{5}$", { min: 0, max: 3 }, random)).toBeUndefined();
  });

  test.each(["(?=a)b", "(a)\\1", "\\p{L}", "(", "a)", "[", "[]", "*", "a{2", "(".repeat(50), "\\"])(
    "gives up on %j instead of guessing",
    (pattern) => {
      const text = textOfPattern(pattern, ANY_LENGTH, createRandom(1));
      if (text !== undefined) expect(text).toMatch(new RegExp(pattern));
    },
  );

  test("repeats of repeats end, and a client's expression is never run", () => {
    const nested = () => textOfPattern("((^{999}){999}){999}", ANY_LENGTH, createRandom(1));
    const endless = () => textOfPattern("^(a+)+$", { min: 400, max: 400 }, createRandom(1));
    expect(nested()).toBeUndefined();
    expect(endless()?.length ?? 400).toBe(400);
    expect(fastestMs(nested) + fastestMs(endless)).toBeLessThan(50);
  });
});
