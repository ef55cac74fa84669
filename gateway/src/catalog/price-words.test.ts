import { describe, expect, test } from "bun:test";
import { limitWords } from "./limit-words.ts";
import type { Model } from "./model.ts";
import { priceWords } from "./price-words.ts";
import { modelFrom } from "./testing.ts";

/** The published price and the one stored with a request must read the same. */
function wordsFor(model: Model): string | null {
  const published = priceWords({ type: model.type, ...model.published.price });
  expect(priceWords(JSON.parse(model.priceRule.json))).toBe(published);
  return published;
}

describe("a price in words", () => {
  test("of text names the rates of input and output, and each other rate that differs from them", () => {
    expect(wordsFor(modelFrom({ type: "text", price: undefined }))).toBe("1 credit per answer");
    const price = { input_per_million: 100, output_per_million: 400 };
    expect(wordsFor(modelFrom({ type: "text", price }))).toBe(
      "100 credits per million tokens in, 400 out; at least 1 credit per answer",
    );
    const cached = {
      input_per_million: 5000,
      output_per_million: 30_000,
      cached_input_per_million: 500,
      cache_write_per_million: 6250,
      reasoning_per_million: 31_000.5,
      audio_input_per_million: 9000,
    };
    expect(wordsFor(modelFrom({ type: "text", price: cached }))).toBe(
      "5,000 credits per million tokens in, 30,000 out, 500 for cached input, 6,250 for cache writes, " +
        "9,000 for spoken input, 31,000.5 for reasoning; at least 1 credit per answer",
    );
  });

  test("of text names the threshold and the rates of long input", () => {
    const price = {
      input_per_million: 1250,
      output_per_million: 10_000,
      cached_input_per_million: 125,
      long_input: {
        above_tokens: 200_000,
        input_per_million: 2500,
        output_per_million: 15_000,
        cached_input_per_million: 250,
      },
    };
    expect(wordsFor(modelFrom({ type: "text", price }))).toBe(
      "1,250 credits per million tokens in, 10,000 out, 125 for cached input; " +
        "of calls with more than 200,000 tokens in, 2,500 in, 15,000 out, 250 for cached input; at least 1 credit per answer",
    );
  });

  test("of images is the price of one image at each tier", () => {
    const limits = { aspect_ratios: ["1:1"] };
    const flat = { units: { "1k": 1, "2k": 2, "4k": 4 } };
    expect(wordsFor(modelFrom({ type: "image", credits_per_request: 4, price: flat, limits }))).toBe(
      "4 credits per image at 1k, 8 at 2k, 16 at 4k",
    );
    const metered = { units: { "1k": 1, "2k": 1 }, per_image: { "1k": 34, "2k": 133 } };
    expect(wordsFor(modelFrom({ type: "image", credits_per_request: 1, price: metered, limits }))).toBe(
      "34 credits per image at 1k, 133 at 2k",
    );
    const rule = {
      type: "image",
      credits_per_request: 1,
      ...metered,
      per_oblong_image: { "1k": 50 },
    };
    expect(priceWords(rule)).toBe("34 credits per image at 1k, 133 at 2k, 50 at 1k when not square");
  });

  test("of video, speech and music is per second, character or request; limits are in words, too", () => {
    const video = modelFrom({
      type: "video",
      credits_per_request: 0,
      price: {
        per_second: { "480p": 5, "720p": 8 },
        sound_basis_points: 12_500,
        draft_basis_points: 5000,
      },
      limits: { duration_seconds: { min: 1, max: 10, default: 5 }, aspect_ratios: ["16:9"] },
    });
    expect(wordsFor(video)).toBe(
      "5 credits per second at 480p, 8 at 720p, 25% more with sound, 50% less as a draft",
    );
    expect(limitWords(video)).toEqual([
      "1 to 10 seconds; 5 seconds unless told otherwise",
      "Resolutions: 480p, 720p",
      "Shapes: 16:9",
    ]);
    const speech = modelFrom({
      type: "audio",
      audio_kind: "speech",
      price: { per_thousand_characters: 2 },
      limits: { max_characters: 5000, voices: ["a", "b"] },
    });
    expect(wordsFor(speech)).toBe("2 credits per 1,000 characters; at least 1 credit per request");
    expect(limitWords(speech)).toEqual(["Up to 5,000 characters", "Voices: a, b"]);
    const music = modelFrom({
      type: "audio",
      audio_kind: "music",
      credits_per_request: 0,
      price: { per_second: 1 },
      limits: { duration_seconds: { values: [5, 10], default: 5 }, styles: ["calm"] },
    });
    expect(wordsFor(music)).toBe("1 credit per second");
    const song = modelFrom({
      type: "audio",
      audio_kind: "music",
      credits_per_request: 40,
      price: { per_second: 0 },
      limits: { duration_seconds: { values: [30], default: 30 }, styles: ["calm"] },
    });
    expect(wordsFor(song)).toBe("40 credits per request");
    expect(limitWords(music)).toEqual(["5, 10 seconds; 5 seconds unless told otherwise", "Styles: calm"]);
  });

  test("is null for an invalid rule", () => {
    for (const rule of [null, {}, { type: "text" }, { type: "dream", credits_per_request: 1 }, "free"]) {
      expect(priceWords(rule)).toBeNull();
    }
  });
});
