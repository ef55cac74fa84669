import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { SETTINGS, STYLES } from "./brief.ts";
import { readBrief } from "./read-brief.ts";

const read = (prompt: string, negativePrompt = "", variation = "0") =>
  readBrief({ prompt, negativePrompt, variation });
const figures = (prompt: string, negativePrompt = "") =>
  read(prompt, negativePrompt).subjects.map(({ name, count }) => [name, count]);

describe("the words of a prompt", () => {
  test("give the place, the hour, the weather and the season", () => {
    expect(read("a snowy mountain at sunset")).toMatchObject({
      setting: "mountains",
      hour: "golden",
      season: "winter",
    });
    expect(read("foggy harbour at dawn")).toMatchObject({ setting: "sea", hour: "dawn" });
    expect([...read("foggy harbour at dawn").weather]).toContain("fog");
    expect(read("A lighthouse on a cliff at dusk, seen from the sea").setting).toBe("sea");
    expect(read("a mountain lake")).toMatchObject({ setting: "lake" });
  });

  test("give the things, their number and their colours", () => {
    expect(figures("two cats and a dog")).toEqual([
      ["cat", 2],
      ["dog", 1],
    ]);
    expect(figures("owls")).toEqual([["owl", 3]]);
    expect(figures("six owls")).toEqual([["owl", 6]]);
    expect(figures("7 owls on ice")).toEqual([["owl", 7]]);
    expect(figures("a dozen owls")).toEqual([["owl", 12]]);
    expect(figures("ten apples")).toEqual([["apple", 10]]);
    expect(figures("twelve apples")).toEqual([["apple", 12]]);
    expect(figures("2 cats")).toEqual([["cat", 2]]);
    expect(figures("20 apples")).toEqual([["apple", 20]]);
    expect(figures("fifteen red apples")).toEqual([["apple", 15]]);
    expect(figures("twenty-one apples")).toEqual([["apple", 21]]);
    expect(figures("two dozen apples")).toEqual([["apple", 24]]);
    expect(figures("half a dozen apples")).toEqual([["apple", 6]]);
    expect(figures("14 horses")).toEqual([["horse", 14]]);
    expect(figures("a 20 year old woman")).toEqual([["person", 1]]);
    expect(figures("a 16 bit cat")).toEqual([["cat", 1]]);
    expect(figures("half a dozen red cats")).toEqual([["cat", 6]]);
    expect(figures("14 blue balloons")).toEqual([["balloon", 14]]);
    expect(figures("13 people")).toEqual([["person", 13]]);
    expect(figures("two 14 inch cups")).toEqual([["cup", 2]]);
    expect(figures("three 20-year-old men")).toEqual([["person", 3]]);
    expect(figures("three men")).toEqual([["person", 3]]);
    expect(figures("a tree")).toEqual([["tree", 1]]);
    expect(figures("a flower")).toEqual([["flower", 1]]);
    const horses = read("a white horse next to a black horse").subjects;
    expect(horses.map(({ name, count }) => [name, count])).toEqual([
      ["horse", 1],
      ["horse", 1],
    ]);
    expect(horses[0]?.colour).not.toEqual(horses[1]?.colour ?? null);
    expect(figures("a white horse. The horse runs")).toEqual([["horse", 1]]);
    const [car] = read("a red sports car on a green hill").subjects;
    expect(car).toMatchObject({ name: "car", colour: [216, 67, 47] });
    expect(read("a red car").colours).toEqual([]);
    expect(read("red and blue").colours.length).toBe(2);
  });

  test("give each colour and each number to its own thing", () => {
    const red = [216, 67, 47];
    expect(read("a portrait of a woman with red hair")).toMatchObject({ hairColour: red, colours: [] });
    expect(read("a portrait of a red-haired woman")).toMatchObject({ hairColour: red, colours: [] });
    expect(read("a woman in a red dress").hairColour).toBeNull();
    expect(figures("a green apple next to a book")).toEqual([
      ["apple", 1],
      ["book", 1],
    ]);
    expect(figures("4 red apples")).toEqual([["apple", 4]]);
    expect(figures("a horse")).toEqual([["horse", 1]]);
    expect(read("five birds flying over the sea").birds).toBe(5);
    expect(read("birds over the sea").birds).toBeNull();
  });

  test("for many small things scatter them instead of giving a number", () => {
    expect(figures("hills with flowers and birds")).toEqual([]);
    expect(read("hills with flowers and birds").wanted).toEqual(new Set(["flowers", "birds"]));
    expect(figures("a flower")).toEqual([["flower", 1]]);
    expect(figures("many flowers")).toEqual([]);
    expect(figures("two hills with flowers")).toEqual([]);
  });

  test("that number such things give exactly that many and scatter no more", () => {
    const trees = read("three green trees");
    expect(trees.subjects).toEqual([{ name: "tree", count: 3, colour: [63, 154, 87] }]);
    expect(trees).toMatchObject({ counted: new Set(["tree", "trees"]), landColour: null });
    expect(figures("5 flowers on a hill")).toEqual([["flower", 5]]);
    expect(read("three fir trees").counted).toEqual(new Set(["tree", "trees"]));
    expect(read("three trees in a forest").counted).toEqual(new Set(["tree"]));
    expect(read("three sailing boats on the sea")).toMatchObject({
      subjects: [{ name: "boat", count: 3 }],
      counted: new Set(["boat", "boats"]),
    });
    expect(read("sailing boats on the sea").counted).toEqual(new Set());
  });

  test("put a thing in its usual place if they name none", () => {
    expect(read("a rocket").setting).toBe("space");
    expect(read("a cup of coffee").setting).toBe("room");
    expect(read("portrait of a woman")).toMatchObject({ setting: "studio" });
    expect(figures("a portrait")).toEqual([["person", 1]]);
    expect(read("portrait of a bearded king").wanted).toEqual(new Set(["beard", "man"]));
  });

  test("give the style, any other one before plain illustration", () => {
    expect(read("flat illustration, pixel art castle").style).toBe("pixel");
    expect(read("watercolour painting of a boat").style).toBe("watercolour");
    expect(read("stained glass window of a fox")).toMatchObject({ style: "glass" });
    expect(read("black and white city").mood).toBe("mono");
  });

  test("may be German, French or Spanish", () => {
    expect(read("Eine Katze am Fluss im Herbst bei Nacht")).toMatchObject({
      season: "autumn",
      hour: "night",
    });
    expect(figures("un château dans la forêt")).toEqual([["castle", 1]]);
    expect(figures("dos perros en la playa").map(([name]) => name)).toEqual(["dog"]);
  });

  test("count in these languages, too, and name several of a thing", () => {
    expect(figures("zwei Katzen")).toEqual([["cat", 2]]);
    expect(figures("deux bateaux sur la mer")).toEqual([["boat", 2]]);
    expect(read("un coucher de soleil sur la mer").setting).toBe("sea");
    expect(figures("tres gatos")).toEqual([["cat", 3]]);
    expect(figures("dos perros en la playa")).toEqual([["dog", 2]]);
    expect(figures("cinq chevaux")).toEqual([["horse", 5]]);
  });

  test("that name the Eiffel Tower show its city, not a castle", () => {
    expect(read("the Eiffel Tower in the rain")).toMatchObject({ setting: "city", subjects: [] });
  });

  test("can exclude things", () => {
    expect(figures("a beach without people or dogs")).toEqual([]);
    expect(read("a sky with no clouds").unwanted.has("clouds")).toBe(true);
    expect(figures("a cat, no dogs, with a bird")).toEqual([
      ["cat", 1],
      ["bird", 1],
    ]);
    expect(figures("no dogs, a cat")).toEqual([["cat", 1]]);
    expect(figures("a beach, no people, a red boat, a dog")).toEqual([
      ["boat", 1],
      ["dog", 1],
    ]);
    expect(figures("a beach. No people. A dog")).toEqual([["dog", 1]]);
    expect(figures("a beach, no people, or dogs")).toEqual([]);
    expect(figures("a beach without dogs, nor people")).toEqual([]);
  });

  test("of the negative prompt exclude things", () => {
    expect(figures("a cat and a dog", "dog, text")).toEqual([["cat", 1]]);
    expect(read("a cat", "desert and city").unwanted).toEqual(new Set(["desert", "city"]));
    expect(read("a cat", "text, moon, trees").unwanted).toEqual(new Set(["text", "moon", "trees", "tree"]));
  });
});

describe("excluding things keeps a place that was named", () => {
  test.each([
    ["a desert landscape", "cactus", "desert"],
    ["New York street", "skyscraper", "city"],
    ["the open sea", "waves", "sea"],
    ["a library", "window, desk", "room"],
    ["an empty desert without cactus at noon", "", "desert"],
    ["a forest by a river", "river", "forest"],
    ["a meadow with a waterfall", "waterfall", "hills"],
    ["a portrait of a woman in an office", "office", "studio"],
    ["a farm by the sea", "farm", "sea"],
    ["a city without buildings or traffic", "", "city"],
    ["a lake, no reflections", "", "lake"],
    ["a forest by the sea", "ocean", "forest"],
    ["a beach, not a city", "", "beach"],
    ["no mountains, a lake", "", "lake"],
  ] as const)("%j without %j: %s", (prompt, negativePrompt, setting) => {
    for (const variation of ["0", "1", "2", "3"])
      expect(read(prompt, negativePrompt, variation).setting).toBe(setting);
  });
});

test.each([
  ["a tent", "mountains", "forest"],
  ["a whale", "sea", "underwater"],
  ["something red", "lake", "mountains, hills, sea, forest, city, desert"],
  ["something nice", "city, desert, sea", "mountains, hills, lake, forest"],
] as const)(
  "the place that is chosen for %j is not an excluded one: %s",
  (prompt, negativePrompt, places) => {
    for (let variation = 0; variation < 40; variation++)
      expect(places.split(", ")).toContain(read(prompt, negativePrompt, `${variation}`).setting);
  },
);

describe("any prompt", () => {
  test("gives a brief that can be drawn, the same one each time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.string(), (prompt, negative) => {
        const brief = read(prompt, negative);
        expect(SETTINGS).toContain(brief.setting);
        expect(STYLES).toContain(brief.style);
        expect(brief).toEqual(read(prompt, negative));
      }),
    );
  });

  test("is read within 250 ms, even 32,000 characters", () => {
    for (const text of ["cat ".repeat(8_000), "a".repeat(32_000), "no ".repeat(10_000)]) {
      expect(fastestMs(() => read(text), 3, 250)).toBeLessThan(250);
    }
  });
});
