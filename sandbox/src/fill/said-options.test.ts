import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { readClues } from "./clues.ts";
import { createOptionBook } from "./option-book.ts";
import { createOptionReader } from "./said-options.ts";

const said = (prompt: string, options: readonly unknown[], name = "value") =>
  createOptionReader(readClues(prompt)).take(name, options);

describe("options in a prompt", () => {
  test.each<[string, string[], string]>([
    ["The patient is female", ["male", "female"], "female"],
    ["set_status to inactive", ["active", "inactive"], "inactive"],
    ["set_mode async", ["sync", "async"], "async"],
    ["Set the country to AU because I moved", ["US", "AU"], "AU"],
    ["Tell us about IT in the AU", ["IT", "US", "AU"], "IT"],
    ["Please fly to New York", ["York", "New York"], "New York"],
    ["Mark it as in progress", ["in_progress", "done"], "in_progress"],
    ["Change the priority from low to high", ["low", "high"], "high"],
    ["Not low but high", ["low", "high"], "high"],
    ["every 3 hours", ["day", "hour"], "hour"],
    ["A board of 12 in", ["cm", "in"], "in"],
    ["東京の天気", ["大阪", "東京"], "東京"],
    ["status: open, I closed nothing else that is closed", ["closed", "open"], "open"],
    ['Use "a"', ["a", "b"], "a"],
  ])("%s with the options %j means %s", (prompt, options, expected) => {
    expect(said(prompt, options, "status")).toBe(expected);
  });

  test.each<[string, unknown[]]>([
    ["The weather in Boston, not sure", ["c", "f"]],
    ["A dog in the rain", ["in", "cm"]],
    ["This is non-active", ["active"]],
    ["Give us 1,250 dollars", [250, 1, "US"]],
    ["", ["", "a"]],
  ])("%j means none of %j", (prompt, options) => {
    expect(said(prompt, options)).toBeUndefined();
  });

  test("may be numbers", () => {
    expect(said("priority 2, please", [1, 2, 3])).toBe(2);
  });

  test("go to one field each, by their direction or the nearest field name", () => {
    const money = ["USD", "EUR"];
    const exchange = createOptionReader(readClues("Convert 100 from EUR to USD"));
    expect([exchange.take("from", money), exchange.take("to", money)]).toEqual(["EUR", "USD"]);
    const paint = createOptionReader(readClues("red as background, blue as foreground"));
    const colours = ["blue", "red"];
    expect([paint.take("foreground", colours), paint.take("background", colours)]).toEqual(["blue", "red"]);
    const one = createOptionReader(readClues("in USD"));
    expect([one.take("source", money), one.take("target", money)]).toEqual(["USD", undefined]);
    expect(one.take("source", money)).toBe("USD");
  });

  test("are read once for all fields, and no further list after thousands of them", () => {
    const clues = readClues("colour: a7, and then a8");
    const options = Array.from({ length: 4000 }, (_, at) => `A${at}`);
    const book = createOptionBook();
    for (let answers = 0; answers < 5; answers++) {
      const reader = createOptionReader(clues, book);
      expect([reader.take("colour", options), reader.take("other", options)]).toEqual(["A7", "A7"]);
    }
    const more = Array.from({ length: 4000 }, (_, at) => `A${3999 - at}`);
    expect(createOptionReader(clues, book).take("other", more)).toBeUndefined();
  });

  test("are looked up quickly by a label, even 10,000 of them for 500 items", () => {
    const options = Array.from({ length: 10_000 }, (_, at) => `Option_number_${at}_is_long`);
    const clues = readClues("colour: zzz");
    expect(
      fastestMs(() => {
        const reader = createOptionReader(clues);
        for (let at = 0; at < 500; at++) reader.take("colour", options);
      }),
    ).toBeLessThan(100);
  });

  test("are read quickly, even 8,000 of them in a prompt of nothing else", () => {
    const options = Array.from({ length: 8000 }, (_, at) => `a${at % 10}`);
    const prompt = "a1 ".repeat(3000);
    expect(
      fastestMs(() => {
        const reader = createOptionReader(readClues(prompt));
        for (let at = 0; at < 500; at++) reader.take(`name${at}`, options);
      }),
    ).toBeLessThan(100);
  });
});
