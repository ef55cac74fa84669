import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import { readBrief } from "./read-brief.ts";

const read = (prompt: string, negativePrompt = "") => readBrief({ prompt, negativePrompt, variation: "0" });

describe("the words of a prompt", () => {
  test("give the place, the hour, the weather, the season and the style", () => {
    expect(read("a sketch of snowy mountains at dawn")).toMatchObject({
      setting: "mountains",
      hour: "dawn",
      weather: new Set(["snow"]),
      season: "winter",
      style: "line",
    });
    expect(read("Waves roll onto a beach at sunrise, gulls overhead")).toMatchObject({
      setting: "beach",
      hour: "dawn",
      wanted: new Set(["sun", "birds"]),
      subjects: [],
    });
  });

  test("give the things, with the number and the colour directly before them", () => {
    const { subjects } = read("two black cats, a lighthouse and some birds beside a red house");
    expect(subjects.map(({ name, count }) => [name, count])).toEqual([
      ["cat", 2],
      ["lighthouse", 1],
      ["bird", 3],
    ]);
    expect(subjects[0]?.colour).not.toBeNull();
    expect(subjects[1]?.colour).toBeNull();
    expect(read("a red fox, a blue one and a fox").subjects).toHaveLength(1);
  });

  test("put a thing in its usual place if they name none", () => {
    expect(read("a rocket")).toMatchObject({ setting: "space", hour: "night" });
    expect(read("a rocket on the beach").setting).toBe("beach");
  });

  test("of the negative prompt leave things out", () => {
    const brief = read("an owl in a moonlit forest", "moons, owl, text");
    expect(brief.subjects).toEqual([]);
    expect(brief.setting).toBe("forest");
    for (const word of ["moon", "owl", "text"]) expect(brief.unwanted).toContain(word);
  });

  test("are the caption, of at most 200 characters", () => {
    expect(read(" a \n cat ").caption).toBe("a cat");
    expect([...read("🐈".repeat(300)).caption]).toHaveLength(200);
  });
});

test.each(["", "日本の猫", "\u0000".repeat(100), "cat ".repeat(8000)])(
  "%p gives the same brief each time",
  (prompt) => {
    expect(read(prompt)).toEqual(read(prompt));
  },
);

test.each(["cats ", "a ", "9 ", "s"])("32,000 characters of %j are read within 100 ms", (unit) => {
  const text = unit.repeat(32_000 / unit.length);
  expect(fastestMs(() => read(text), 3, 100)).toBeLessThan(100);
});
