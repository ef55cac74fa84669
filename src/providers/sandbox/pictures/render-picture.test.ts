import { describe, expect, test } from "bun:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { type Brief, SETTINGS, STYLES } from "./brief/brief.ts";
import { readBrief } from "./brief/read-brief.ts";
import { paintPicture } from "./paint-picture.ts";
import { pictureSize } from "./picture-size.ts";
import { encodePng } from "./png.ts";
import { renderPicture } from "./render-picture.ts";
import { SUBJECT_WORDS } from "./subjects/subject-words.ts";

const job = (prompt: string, more: { index?: number; negativePrompt?: string } = {}) => ({
  kind: "image" as const,
  request: { prompt, aspectRatio: "1:1", tier: "1k" as const, negativePrompt: more.negativePrompt },
  index: more.index ?? 0,
});

describe("a picture", () => {
  test("is the same for the same words, and another one for the next of a request", async () => {
    const [first, again, second] = await Promise.all([
      renderPicture(job("a red fox in the snow")),
      renderPicture(job("a red fox in the snow")),
      renderPicture(job("a red fox in the snow", { index: 1 })),
    ]);
    expect(first.bytes).toEqual(again.bytes);
    expect(first.bytes).not.toEqual(second.bytes);
    expect(first).toMatchObject({ mediaType: "image/png", width: 1024, height: 1024, durationMs: null });
  });

  test("leaves out what the negative prompt names", async () => {
    const [all, less] = await Promise.all([
      renderPicture(job("an owl in a moonlit forest")),
      renderPicture(job("an owl in a moonlit forest", { negativePrompt: "moon" })),
    ]);
    expect(all.bytes).not.toEqual(less.bytes);
  });

  test("has the area of its tier, whatever its ratio, in steps of sixteen", () => {
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

describe("whatever the words ask for", () => {
  const small = (brief: Brief, size = { width: 160, height: 96 }) => {
    const canvas = createCanvas(size.width, size.height);
    paintPicture(canvas, brief);
    const { data } = canvas.getContext("2d").getImageData(0, 0, size.width, size.height);
    let isFull = true;
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) isFull = false;
    return isFull;
  };
  const base = readBrief({ prompt: "a cat and two birds", negativePrompt: "", variation: "0" });

  test("every place at every hour fills the picture", () => {
    for (const setting of SETTINGS) {
      for (const hour of ["dawn", "day", "golden", "dusk", "night"] as const) {
        expect([setting, hour, small({ ...base, setting, hour })]).toEqual([setting, hour, true]);
      }
    }
  });

  test("every style fills the picture, upright and across", () => {
    for (const style of STYLES) {
      expect([
        style,
        small({ ...base, style }),
        small({ ...base, style }, { width: 64, height: 128 }),
      ]).toEqual([style, true, true]);
    }
  });

  test("every weather and season fills the picture", () => {
    const weathers = ["clouds", "overcast", "rain", "snow", "fog", "storm", "rainbow", "aurora"] as const;
    for (const weather of weathers) {
      for (const season of ["spring", "summer", "autumn", "winter"] as const) {
        expect(small({ ...base, setting: "forest", season, weather: new Set([weather]) })).toBe(true);
      }
    }
  });

  test("every thing with a name can be drawn", () => {
    for (const name of Object.keys(SUBJECT_WORDS)) {
      expect(small({ ...base, subjects: [{ name, count: 1, colour: null }] })).toBe(true);
    }
  });

  test("a prompt that no font can write still gives a picture", () => {
    const brief = readBrief({
      prompt: "日本の猫 🐈 \u202e\u0007 العربية",
      negativePrompt: "",
      variation: "0",
    });
    expect(small(brief)).toBe(true);
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
