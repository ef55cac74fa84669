import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { tintOf, tintOfPixels } from "../render-music.ts";
import { STYLE_NAMES } from "../styles/style-words.ts";
import { readBrief } from "./read-brief.ts";

const read = (prompt: string, style: string | null = null) => readBrief(prompt, style, null);

describe("a brief", () => {
  test.each([
    ["lo-fi beats to study to", "ambient"],
    ["an epic trailer", "classical"],
    ["a waltz", "classical"],
    ["peaceful meditation", "ambient"],
    ["a happy birthday jingle", "pop"],
  ] as const)("for %s has the style %s", (prompt, style) => {
    expect(read(prompt).style).toBe(style);
  });

  test("takes a style option over the prompt, in any case", () => {
    for (const style of STYLE_NAMES) expect(read("smoky jazz club", style).style).toBe(style);
    expect(read("smoky jazz club", "Ambient").style).toBe("ambient");
  });

  test("takes the mode, pace and energy from the mood", () => {
    expect(read("a happy tune").key.mode).toBe("major");
    expect(read("a sad tune").key.mode).toBe("minor");
    expect(read("a dark tune").key.mode).toBe("minor");
    expect(read("fast").pace).toBeGreaterThan(1.1);
    expect(read("slow").pace).toBeLessThan(0.9);
    expect(read("calm").energy).toBeLessThan(0);
    expect(read("epic").energy).toBeGreaterThan(0);
  });

  test("is made from any prompt without an error, and quickly from a long one", () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (prompt, style) => {
        expect(STYLE_NAMES).toContain(readBrief(prompt, style, null).style);
      }),
    );
    expect(fastestMs(() => read("epic calm slow ".repeat(1500)), 3, 60)).toBeLessThan(60);
  });

  test("has exactly the styles of the catalog", async () => {
    const path = join(import.meta.dir, "../../../../gateway/catalog/models.yaml");
    const { models } = Bun.YAML.parse(await Bun.file(path).text()) as {
      models: { id: string; limits: { styles: string[] } }[];
    };
    expect(models.find(({ id }) => id === "sandbox-music")?.limits.styles).toEqual([...STYLE_NAMES]);
  });
});

describe("reference images", () => {
  const plain = (red: number, green: number, blue: number) =>
    Uint8ClampedArray.from({ length: 400 }, (_, at) => [red, green, blue, 255][at % 4] ?? 0);

  test("brighten the mood if light, darken it if dark, and add energy if vivid and warm", () => {
    expect(tintOfPixels(plain(250, 250, 240)).brightness).toBeGreaterThan(0.5);
    expect(tintOfPixels(plain(10, 10, 30)).brightness).toBeLessThan(-0.5);
    expect(tintOfPixels(plain(240, 90, 20)).energy).toBeGreaterThan(
      tintOfPixels(plain(120, 125, 130)).energy,
    );
    const grey = readBrief("a tune", null, tintOfPixels(plain(5, 5, 5)));
    expect(grey.key.mode).toBe("minor");
  });

  test("give no mood if there are none, and are refused in our words if unreadable", async () => {
    expect(await tintOf([])).toBeNull();
    const broken = { bytes: new TextEncoder().encode("nothing to see"), mediaType: "image/png" };
    await expect(tintOf([broken])).rejects.toThrow("A reference image cannot be read.");
  });
});
