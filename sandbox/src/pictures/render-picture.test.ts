import { describe, expect, test } from "bun:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { readBrief } from "./brief/read-brief.ts";
import { type Brief, SETTINGS, STYLES } from "./brief.ts";
import { pictureSize } from "./picture-size.ts";
import { encodePng } from "./png.ts";
import { paintPicture, renderPicture } from "./render-picture.ts";
import { SUBJECTS } from "./subjects/figure-list.ts";

const job = (prompt: string, more: { index?: number; negativePrompt?: string } = {}) => ({
  kind: "image" as const,
  request: { prompt, aspectRatio: "1:1", tier: "1k" as const, negativePrompt: more.negativePrompt },
  index: more.index ?? 0,
});

describe("an image", () => {
  test("is the same for the same prompt, and different for the next index of a request", async () => {
    const [first, again, second] = await Promise.all([
      renderPicture(job("a red fox in the snow")),
      renderPicture(job("a red fox in the snow")),
      renderPicture(job("a red fox in the snow", { index: 1 })),
    ]);
    expect(first.bytes).toEqual(again.bytes);
    expect(first.bytes).not.toEqual(second.bytes);
    expect(first).toMatchObject({ mediaType: "image/png", width: 1024, height: 1024, durationMs: null });
  });

  test("has the requested format, and less than half the bytes at compression 20", async () => {
    const written = async (format: "jpeg" | "webp", compression?: number) => {
      const finish = compression === undefined ? { format } : { format, compression };
      const { request, ...others } = job("a cat");
      return renderPicture({ ...others, request: { ...request, finish } });
    };
    for (const format of ["jpeg", "webp"] as const) {
      const [whole, less] = [await written(format), await written(format, 20)];
      expect(whole).toMatchObject({ mediaType: `image/${format}`, width: 1024, height: 1024 });
      expect(less.bytes.byteLength).toBeLessThan(whole.bytes.byteLength / 2);
      expect(await loadImage(Buffer.from(less.bytes))).toMatchObject({ width: 1024, height: 1024 });
      expect((await written(format, 100)).bytes).toEqual(whole.bytes);
    }
  });

  test("changes only if the negative prompt names something in it", async () => {
    const [all, less, same] = await Promise.all([
      renderPicture(job("an owl in a moonlit forest")),
      renderPicture(job("an owl in a moonlit forest", { negativePrompt: "moon" })),
      renderPicture(job("an owl in a moonlit forest", { negativePrompt: "rocket" })),
    ]);
    expect(all.bytes).not.toEqual(less.bytes);
    expect(all.bytes).toEqual(same.bytes);
  });

  test("has the area of its tier at any ratio, and sides divisible by 16", () => {
    for (const [tier, base] of [
      ["1k", 1024],
      ["2k", 2048],
      ["4k", 4096],
    ] as const) {
      for (const ratio of ["1:1", "16:9", "9:16", "21:9", "2:3", "999:1", "0:0"]) {
        const { width, height } = pictureSize(tier, ratio);
        expect([width % 16, height % 16]).toEqual([0, 0]);
        expect(Math.abs((width * height) / base ** 2 - 1)).toBeLessThan(0.04);
      }
    }
    expect(pictureSize("1k", "16:9")).toEqual({ width: 1360, height: 768 });
  });
});

describe("painting a brief", () => {
  const ACROSS = { width: 160, height: 96 };
  /** Of the 15,360 pixels of an image. The smallest subject, a bee, takes four times as many. */
  const SEEN_PIXELS = 100;
  const base: Brief = {
    ...readBrief({ prompt: "a cat", negativePrompt: "", variation: "0" }),
    setting: "hills",
    hour: "day",
    weather: new Set(),
  };

  const less = (brief: Brief, unwanted: string): Brief => ({
    ...brief,
    unwanted: new Set([...brief.unwanted, unwanted]),
  });
  /** The pixels; throws if one is not opaque. */
  const painted = (brief: Brief, { width, height } = ACROSS) => {
    const canvas = createCanvas(width, height);
    paintPicture(canvas, brief);
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) throw new Error(`open at ${at >> 2}`);
    return data;
  };
  type Pixels = ReturnType<typeof painted>;
  const differing = (one: Pixels, other: Pixels) => {
    const apart = (at: number) => Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    let count = 0;
    for (let at = 0; at < one.length; at += 4) if (apart(at) + apart(at + 1) + apart(at + 2) > 6) count++;
    return count;
  };
  /** Names of those that look like an earlier one. */
  const alike = (pictures: readonly (readonly [string, Pixels])[]) =>
    pictures.flatMap(([name, pixels], at) =>
      pictures
        .slice(0, at)
        .filter(([, earlier]) => differing(earlier, pixels) < SEEN_PIXELS)
        .map(([earlier]) => `${name} and ${earlier}`),
    );

  test("every place fills the image and looks different from all others", () => {
    expect(alike(SETTINGS.map((setting) => [setting, painted({ ...base, setting })]))).toEqual([]);
  });

  test("every hour and every season looks different from all others", () => {
    const hours = ["dawn", "day", "golden", "dusk", "night"] as const;
    expect(alike(hours.map((hour) => [hour, painted({ ...base, hour })]))).toEqual([]);
    const seasons = ["spring", "summer", "autumn", "winter"] as const;
    expect(alike(seasons.map((season) => [season, painted({ ...base, season })]))).toEqual([]);
  });

  test("every style fills upright and wide images and looks different from all others", () => {
    const inside = { ...base, setting: "sea" as const };
    expect(alike(STYLES.map((style) => [style, painted({ ...inside, style })]))).toEqual([]);
    for (const style of STYLES) painted({ ...inside, style }, { width: 64, height: 128 });
  });

  test.each(["flat", "line"] as const)(
    "another caption changes an image in the style %s, and only at its foot",
    (style) => {
      const written = (caption: string) => painted({ ...base, style, caption });
      const [one, other] = [written("red foxes run"), written("blue birds fly")];
      expect(differing(one, other)).toBeGreaterThan(5);
      const footAt = one.length * 0.75;
      expect(differing(one.slice(0, footAt), other.slice(0, footAt))).toBe(0);
    },
  );

  test("an unwanted moon takes its light along", () => {
    const prompt = "an owl in a moonlit forest";
    const lit = (negativePrompt: string) => {
      const pixels = painted(readBrief({ prompt, negativePrompt, variation: "0" }));
      return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
    };
    expect(lit("moon")).toBeLessThan(lit("") - 1);
  });

  test.each(["mountains", "hills"] as const)(
    "mountains are visible unless they are unwanted: %s",
    (setting) => {
      const brief: Brief = { ...base, setting };
      expect(differing(painted(brief), painted(less(brief, "mountains")))).toBeGreaterThan(SEEN_PIXELS);
    },
  );

  // The light of a weather stays when it is left out, so only what falls and drifts is compared.
  test.each([
    ["clouds", "clouds"],
    ["rain", "rain"],
    ["snow", "snow"],
    ["fog", "fog"],
  ] as const)("weather is visible unless it is unwanted: %s", (weather, left) => {
    const brief: Brief = { ...base, weather: new Set([weather]) };
    const without = painted(less(brief, left));
    expect(differing(painted(brief), without)).toBeGreaterThan(SEEN_PIXELS);
  });

  test.each(["mountains", "hills", "forest", "beach"] as const)(
    "trees are visible unless they are unwanted: %s",
    (setting) => {
      const without = painted(less({ ...base, setting }, "trees"));
      expect(differing(painted({ ...base, setting }), without)).toBeGreaterThan(SEEN_PIXELS);
    },
  );

  // In space nothing has a shadow, which would be visible even without its figure.
  test("every known subject is drawn", () => {
    const empty: Brief = { ...base, setting: "space", subjects: [] };
    const without = painted(empty);
    const unseen = Object.keys(SUBJECTS).filter((name) => {
      const drawn = painted({ ...empty, subjects: [{ name, count: 1, colour: null }] });
      return differing(drawn, without) < SEEN_PIXELS;
    });
    expect(unseen).toEqual([]);
  });

  test("a prompt that no font can write still gives an image", () => {
    const prompt = "日本の猫 🐈 \u202e\u0007 العربية";
    const pixels = painted(readBrief({ prompt, negativePrompt: "", variation: "0" }));
    expect(differing(pixels, pixels.slice().fill(pixels[0] ?? 0))).toBeGreaterThan(SEEN_PIXELS);
  });
});

test("our PNG holds exactly the pixels of the canvas", async () => {
  const canvas = createCanvas(37, 23);
  const context = canvas.getContext("2d");
  for (let at = 0; at < 37; at++) {
    context.fillStyle = `rgb(${(at * 37) % 256}, ${(at * 91) % 256}, ${(at * 151) % 256})`;
    context.fillRect(at, 0, 1, 23);
  }
  const image = await loadImage(Buffer.from(encodePng(canvas.data(), 37, 23)));
  const copy = createCanvas(37, 23);
  copy.getContext("2d").drawImage(image, 0, 0);
  expect(Buffer.compare(copy.data(), canvas.data())).toBe(0);
});
