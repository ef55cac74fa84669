import { expect, test } from "bun:test";
import fc from "fast-check";
import { freezeVideoPrice } from "../../catalog/index.ts";
import { modelFrom } from "../../catalog/testing.ts";
import { priceMadeVideo, videoEstimate } from "./cost.ts";
import type { VideoOptions } from "./order.ts";
import { nextPollMs, nextRetryMs } from "./pace.ts";

const model = modelFrom({
  type: "video",
  price: {
    per_second: { "480p": 5, "720p": 8.25, "1080p": 16, "4k": 40 },
    sound_basis_points: 12_500,
    draft_basis_points: 5_000,
  },
  limits: { duration_seconds: { min: 1, max: 60, default: 4 }, aspect_ratios: ["16:9"] },
});
const order = (wish: VideoOptions) => ({ wish, references: {}, price: freezeVideoPrice(model), targets: [] });

const wishes: fc.Arbitrary<VideoOptions> = fc.record({
  task: fc.constant("text_to_video" as const),
  prompt: fc.constant("x"),
  durationMs: fc.integer({ min: 1_000, max: 60_000 }),
  resolution: fc.constantFrom(...model.limits.resolutions),
  aspectRatio: fc.constant("16:9"),
  sound: fc.boolean(),
  draft: fc.boolean(),
  keepAudio: fc.constant(false),
  seed: fc.constant(null),
});
const sides = fc.option(fc.integer({ min: -1, max: 10_000 }));
const made = fc.record({
  hasSound: fc.option(fc.boolean()),
  width: sides,
  height: sides,
  durationMs: fc.option(fc.double({ min: -1, max: 1e9, noNaN: true })),
});

test("whatever was made, the charge is at most the estimate and at least the price per request", () => {
  fc.assert(
    fc.property(wishes, made, (wish, video) => {
      const estimate = videoEstimate(model, wish);
      const cost = priceMadeVideo({ model: model.id, order: order(wish), made: video, estimate }).cost;
      expect(cost).toBeLessThanOrEqual(estimate);
      expect(cost).toBeGreaterThanOrEqual(model.creditsPerRequest);
    }),
  );
});

test("a video of unknown size and duration costs its estimate, even after the order was stored as JSON", () => {
  fc.assert(
    fc.property(wishes, (wish) => {
      const estimate = videoEstimate(model, wish);
      const kept = JSON.parse(JSON.stringify(order(wish))) as ReturnType<typeof order>;
      const video = { width: null, height: null, durationMs: null };
      expect(priceMadeVideo({ model: model.id, order: kept, made: video, estimate }).cost).toBe(estimate);
    }),
  );
});

const wished: VideoOptions = {
  task: "text_to_video",
  prompt: "x",
  durationMs: 4_000,
  resolution: "4k",
  aspectRatio: "16:9",
  sound: false,
  draft: false,
  keepAudio: false,
  seed: null,
};

test.each([
  ["4k", 3840, 2160, "4k"],
  ["4k", 1920, 1080, "1080p"],
  ["4k", 1280, 720, "720p"],
  ["4k", 720, 1280, "720p"],
  ["4k", 854, 480, "480p"],
  ["1080p", 1440, 1080, "1080p"],
  ["1080p", 720, 720, "720p"],
  ["1080p", 1600, 520, "720p"],
  // Just on this side of the middle between two tiers, by area and by lines.
  ["1080p", 1200, 489, "480p"],
  ["1080p", 1200, 519, "720p"],
  ["4k", 2716, 1528, "4k"],
  ["1080p", 3840, 2160, "1080p"],
  ["4k", null, 480, "4k"],
  ["4k", 854, null, "4k"],
  ["4k", 0, 480, "4k"],
  ["4k", 854, 0, "4k"],
  ["4k", -854, -480, "4k"],
  ["4k", 1, 1, "480p"],
])("requested in %s, a video of %p by %p costs as one in %s", (resolution, width, height, priced) => {
  const wish = { ...wished, resolution };
  const estimate = videoEstimate(model, wish);
  const video = { width, height, durationMs: null };
  expect(priceMadeVideo({ model: model.id, order: order(wish), made: video, estimate }).cost).toBe(
    videoEstimate(model, { ...wish, resolution: priced }),
  );
});

test("a draft costs its estimate, even if its resolution is lower", () => {
  const wish = { ...wished, draft: true };
  const estimate = videoEstimate(model, wish);
  const video = { width: 854, height: 480, durationMs: null };
  expect(priceMadeVideo({ model: model.id, order: order(wish), made: video, estimate }).cost).toBe(estimate);
});

test.each([
  [1, 1],
  [1_000, 1_000],
  [1_499.6, 1_500],
  [1_000.6, 1_001],
  [1_000.4, 1_000],
  [0, 4_000],
  [-1, 4_000],
])("a video of %p ms costs as one of %p", (durationMs, priced) => {
  const estimate = videoEstimate(model, wished);
  const video = { width: null, height: null, durationMs };
  expect(priceMadeVideo({ model: model.id, order: order(wished), made: video, estimate }).cost).toBe(
    videoEstimate(model, { ...wished, durationMs: priced }),
  );
});

test.each([
  [true, true, true],
  [true, false, false],
  [true, null, true],
  [true, undefined, true],
  [false, true, false],
])(
  "requested with sound: %p, a video that has it: %p costs as one with sound: %p",
  (sound, hasSound, priced) => {
    const wish = { ...wished, sound };
    const estimate = videoEstimate(model, wish);
    const video = {
      width: null,
      height: null,
      durationMs: null,
      ...(hasSound === undefined ? {} : { hasSound }),
    };
    expect(priceMadeVideo({ model: model.id, order: order(wish), made: video, estimate }).cost).toBe(
      videoEstimate(model, { ...wish, sound: priced }),
    );
  },
);

test("pauses between polls and between retries grow up to 5 and 30 seconds", () => {
  const looks = Array.from({ length: 2_000 }, (_, at) => nextPollMs(at));
  expect([looks[0], looks.at(-1)]).toEqual([250, 5_000]);
  expect(looks).toEqual(looks.toSorted((a, b) => a - b));
  expect([nextRetryMs(0), nextRetryMs(1), nextRetryMs(1_000)]).toEqual([500, 1_000, 30_000]);
});
