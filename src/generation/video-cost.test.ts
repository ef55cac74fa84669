import { expect, test } from "bun:test";
import fc from "fast-check";
import { freezeVideoPrice } from "../catalog/index.ts";
import { modelFrom } from "../catalog/testing.ts";
import { madeVideoCost, videoEstimate } from "./video-cost.ts";
import type { VideoWish } from "./video-order.ts";
import { nextLookMs, nextRetryMs } from "./video-pace.ts";

const model = modelFrom({
  type: "video",
  price: {
    per_second: { "480p": 5, "720p": 8.25, "1080p": 16, "4k": 40 },
    sound_basis_points: 12_500,
    draft_basis_points: 5_000,
  },
  limits: { duration_seconds: { min: 1, max: 60, default: 4 }, aspect_ratios: ["16:9"] },
});
const order = (wish: VideoWish) => ({ wish, references: {}, price: freezeVideoPrice(model), targets: [] });

const wishes: fc.Arbitrary<VideoWish> = fc.record({
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
  width: sides,
  height: sides,
  durationMs: fc.option(fc.double({ min: -1, max: 1e9, noNaN: true })),
});

test("whatever was made, the charge is never above the estimate and never below the least", () => {
  fc.assert(
    fc.property(wishes, made, (wish, film) => {
      const estimate = videoEstimate(model, wish);
      const cost = madeVideoCost({ model: model.id, order: order(wish), made: film, estimate });
      expect(cost).toBeLessThanOrEqual(estimate);
      expect(cost).toBeGreaterThanOrEqual(model.creditsPerRequest);
    }),
  );
});

test("a film of which nothing is known costs what was asked for, through JSON and back", () => {
  fc.assert(
    fc.property(wishes, (wish) => {
      const estimate = videoEstimate(model, wish);
      const kept = JSON.parse(JSON.stringify(order(wish))) as ReturnType<typeof order>;
      const film = { width: null, height: null, durationMs: null };
      expect(madeVideoCost({ model: model.id, order: kept, made: film, estimate })).toBe(estimate);
    }),
  );
});

test("pauses grow, and never beyond their bounds", () => {
  const looks = Array.from({ length: 2_000 }, (_, at) => nextLookMs(at));
  expect([looks[0], looks.at(-1)]).toEqual([250, 15_000]);
  expect(looks).toEqual(looks.toSorted((a, b) => a - b));
  expect([nextRetryMs(0), nextRetryMs(1), nextRetryMs(1_000)]).toEqual([500, 1_000, 30_000]);
});
