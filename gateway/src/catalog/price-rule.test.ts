import { describe, expect, test } from "bun:test";
import { modelFrom } from "./testing.ts";

describe("a price rule", () => {
  const price = { input_per_million: 100, output_per_million: 400 };
  const ruleOf = (change: Record<string, unknown>) => modelFrom({ type: "text", price, ...change }).priceRule;

  test("is canonical JSON with every default written out, and has an id of 16 hex digits", () => {
    const rule = ruleOf({});
    expect(rule.json).toBe(
      '{"cache_write_per_million":100,"cached_input_per_million":100,"credits_per_request":1,' +
        '"input_per_million":100,"output_per_million":400,"reasoning_per_million":400,"type":"text","version":1}',
    );
    expect(rule.id).toMatch(/^[0-9a-f]{16}$/);
  });

  test("has the same id for the same figures, whatever their order and the model's name", () => {
    const turned = { output_per_million: 400, input_per_million: 100 };
    expect(ruleOf({ price: turned, name: "Another", description: "words" }).id).toBe(ruleOf({}).id);
  });

  test("has another id if any figure changes", () => {
    const ids = [
      ruleOf({}),
      ruleOf({ credits_per_request: 2 }),
      ruleOf({ price: { ...price, output_per_million: 400.000001 } }),
      ruleOf({ price: { ...price, cached_input_per_million: 10 } }),
      ruleOf({ price: undefined }),
    ].map((rule) => rule.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("of video contains rates by resolution and the factors for sound and draft", () => {
    const video = modelFrom({
      type: "video",
      price: { per_second: { "480p": 0.5 }, draft_basis_points: 5000 },
      limits: { duration_seconds: { min: 1, max: 8, default: 4 }, aspect_ratios: ["16:9"] },
    });
    expect(JSON.parse(video.priceRule.json)).toEqual({
      version: 1,
      type: "video",
      credits_per_request: 1,
      per_second: { "480p": 0.5 },
      sound_basis_points: 10_000,
      draft_basis_points: 5000,
    });
  });

  test("of images contains units and rates by tier, and oblong rates only if the entry has them", () => {
    const limits = { aspect_ratios: ["1:1"] };
    const plain = { units: { "1k": 1, "4k": 4 }, per_image: { "4k": 20.5 } };
    const ruled = (price: object): unknown =>
      JSON.parse(modelFrom({ type: "image", price, limits }).priceRule.json);
    const rule = { version: 1, type: "image", credits_per_request: 1, ...plain };
    expect(ruled(plain)).toEqual(rule);
    expect(ruled({ ...plain, per_oblong_image: { "4k": 30 } })).toEqual({
      ...rule,
      per_oblong_image: { "4k": 30 },
    });
  });

  test("of speech contains its rate per thousand characters", () => {
    const speech = modelFrom({
      type: "audio",
      audio_kind: "speech",
      price: { per_thousand_characters: 2.5 },
      limits: { max_characters: 5000, voices: ["slt"] },
    });
    expect(JSON.parse(speech.priceRule.json)).toEqual({
      version: 1,
      type: "audio",
      credits_per_request: 1,
      per_thousand_characters: 2.5,
    });
  });
});
