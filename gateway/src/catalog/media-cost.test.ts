import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { imageCost, musicCost, speechCost, videoCost } from "./media-cost.ts";
import type { MusicModel, SpeechModel } from "./model.ts";
import { modelFrom } from "./testing.ts";

const image = modelFrom({
  type: "image",
  credits_per_request: 4,
  price: { units: { "1k": 1, "2k": 2, "4k": 4 }, per_image: { "4k": 20.5 } },
  limits: { aspect_ratios: ["1:1"] },
});
const video = modelFrom({
  type: "video",
  credits_per_request: 1,
  price: {
    per_second: { "480p": 5, "720p": 8, "1080p": 16 },
    sound_basis_points: 12_500,
    draft_basis_points: 5000,
  },
  limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
});
const audio = { type: "audio", credits_per_request: 1 } as const;
const speech = modelFrom({
  ...audio,
  audio_kind: "speech",
  price: { per_thousand_characters: 2 },
  limits: { max_characters: 5000, voices: ["slt"] },
}) as SpeechModel;
const music = modelFrom({
  ...audio,
  audio_kind: "music",
  price: { per_second: 1 },
  limits: { duration_seconds: { min: 1, max: 60, default: 10 }, styles: ["jazz"] },
}) as MusicModel;

describe("the cost of images", () => {
  test.each([
    ["1k", 1, 4],
    ["2k", 1, 8],
    ["2k", 3, 24],
    ["4k", 1, 21],
    ["4k", 2, 41],
  ] as const)("at %s, %d of them: %d", (tier, n, expected) => {
    expect(imageCost({ model: image, tier, aspectRatio: "1:1", n }) as number).toBe(expected);
  });
});

test("an image that is not square costs its own rate if its tier has one", () => {
  const model = modelFrom({
    type: "image",
    credits_per_request: 1,
    price: {
      units: { "1k": 1, "2k": 1 },
      per_image: { "1k": 34, "2k": 133 },
      per_oblong_image: { "1k": 50 },
    },
    limits: { aspect_ratios: ["1:1", "3:2"] },
  });
  const cost = (tier: "1k" | "2k", aspectRatio: string): number =>
    imageCost({ model, tier, aspectRatio, n: 1 });
  expect([cost("1k", "1:1"), cost("1k", "3:2"), cost("2k", "1:1"), cost("2k", "2:3")]).toEqual([
    34, 50, 133, 133,
  ]);
});

describe("the cost of a video", () => {
  test.each([
    ["480p", 4000, false, false, 20],
    ["720p", 4000, false, false, 32],
    ["1080p", 4000, false, false, 64],
    ["720p", 4000, true, false, 40],
    ["720p", 4000, false, true, 16],
    ["720p", 4000, true, true, 20],
    ["480p", 4500, true, true, 15],
    ["480p", 100, false, true, 1],
    ["1080p", 10_000_000, false, false, 160_000],
    ["1080p", 10_000_000, true, false, 200_000],
    ["1080p", 10_000_000, false, true, 80_000],
  ])("%s for %d ms, sound %p, draft %p: %d", (resolution, durationMs, sound, draft, expected) => {
    expect(videoCost({ model: video, resolution, durationMs, sound, draft }) as number).toBe(expected);
  });
});

describe("the cost of sound", () => {
  test.each([
    [0, 1],
    [500, 1],
    [501, 2],
    [1000, 2],
    [5000, 10],
    [1_000_000, 2000],
  ])("%d characters of speech: %d", (characters, expected) => {
    expect(speechCost({ model: speech, characters }) as number).toBe(expected);
  });

  test.each([
    [1000, 1],
    [1001, 2],
    [60_000, 60],
  ])("%d ms of music: %d", (durationMs, expected) => {
    expect(musicCost({ model: music, durationMs }) as number).toBe(expected);
  });
});

test("a tier or resolution that the model does not offer throws instead of having a price", () => {
  const small = modelFrom({
    type: "image",
    price: { units: { "1k": 1 } },
    limits: { aspect_ratios: ["1:1"] },
  });
  expect(() => imageCost({ model: small, tier: "4k", aspectRatio: "1:1", n: 1 })).toThrow();
  expect(() =>
    videoCost({ model: video, resolution: "8k", durationMs: 1000, sound: false, draft: false }),
  ).toThrow();
});

test("a smaller amount of any medium never costs more than a larger one", () => {
  const amount = fc.nat(10_000_000);
  fc.assert(
    fc.property(amount, amount, fc.boolean(), fc.boolean(), (made, more, sound, draft) => {
      const seconds = (durationMs: number) =>
        videoCost({ model: video, resolution: "720p", durationMs, sound, draft });
      expect(seconds(made)).toBeLessThanOrEqual(seconds(made + more));
      expect(musicCost({ model: music, durationMs: made })).toBeLessThanOrEqual(
        musicCost({ model: music, durationMs: made + more }),
      );
      expect(speechCost({ model: speech, characters: made })).toBeLessThanOrEqual(
        speechCost({ model: speech, characters: made + more }),
      );
      expect(imageCost({ model: image, tier: "4k", aspectRatio: "1:1", n: made })).toBeLessThanOrEqual(
        imageCost({ model: image, tier: "4k", aspectRatio: "1:1", n: made + more }),
      );
    }),
  );
});
