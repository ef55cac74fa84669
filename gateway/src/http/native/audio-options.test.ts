import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { modelFrom } from "../../catalog/testing.ts";
import { AppError } from "../../kit/index.ts";
import { audioOptionsFor } from "./audio-options.ts";
import { type AudioFields, audioBodySchema } from "./audio-schema.ts";

function musicModel(changes: Record<string, unknown> = {}) {
  return modelFrom({
    type: "audio",
    audio_kind: "music",
    price: { per_second: 1 },
    limits: { duration_seconds: { min: 1, max: 60, default: 10 }, styles: ["jazz", "rock"] },
    ...changes,
  });
}

const ANY_LENGTH = musicModel();
const LISTED = musicModel({
  limits: { duration_seconds: { values: [5, 12.5], default: 5 }, styles: ["jazz"] },
});
const SEEING = musicModel({ capabilities: ["reference_images"] });

function fieldsOf(more: Partial<AudioFields> = {}): AudioFields {
  return { model: "m", prompt: "A calm evening", audio_kind: "music", ...more };
}

function musicOf(model: typeof ANY_LENGTH, more: Partial<AudioFields> = {}) {
  const options = audioOptionsFor(model, fieldsOf(more));
  if (options.kind !== "music") throw new Error("asked for music");
  return options;
}

test("speech without a voice is left to the provider, with the model's first voice as fallback", () => {
  const limits = { max_characters: 100, voices: ["ada", "bob"] };
  const model = modelFrom({
    type: "audio",
    audio_kind: "speech",
    price: { per_thousand_characters: 1 },
    limits,
  });
  const options = audioOptionsFor(model, fieldsOf({ audio_kind: "speech" }));
  expect(options).toMatchObject({
    request: { lines: [{ voice: null, text: "A calm evening" }], firstVoice: "ada" },
  });
});

describe("music", () => {
  test("uses the model's defaults for fields that are not sent", () => {
    expect(musicOf(ANY_LENGTH)).toMatchObject({ style: null, durationMs: 10_000, referenceImageUrls: [] });
  });

  test("is requested by style and by duration, rounded to milliseconds", () => {
    const options = musicOf(ANY_LENGTH, { music_style: "rock", duration_seconds: 12.3456 });
    expect(options).toMatchObject({ style: "rock", durationMs: 12_346 });
    expect(musicOf(LISTED, { duration_seconds: 12.5 }).durationMs).toBe(12_500);
  });

  test("takes reference images if the model supports them", () => {
    const reference_image_urls = ["https://example.com/a.png"];
    expect(musicOf(SEEING, { reference_image_urls }).referenceImageUrls).toEqual(reference_image_urls);
  });

  const refused: readonly [string, typeof ANY_LENGTH, Partial<AudioFields>, string][] = [
    ["speech, the default of audio_kind", ANY_LENGTH, { audio_kind: null }, "audio_kind: must be music"],
    [
      "a duration below the model's minimum",
      ANY_LENGTH,
      { duration_seconds: 0.9 },
      "duration_seconds: must be from 1 to 60 seconds",
    ],
    [
      "a duration that reaches the model's minimum only by rounding",
      ANY_LENGTH,
      { duration_seconds: 0.9996 },
      "duration_seconds: must be from 1 to 60 seconds",
    ],
    [
      "a duration that is within the model's maximum only by rounding",
      ANY_LENGTH,
      { duration_seconds: 60.0004 },
      "duration_seconds: must be from 1 to 60 seconds",
    ],
    [
      "a duration above the model's maximum",
      ANY_LENGTH,
      { duration_seconds: 60.1 },
      "duration_seconds: must be from 1 to 60 seconds",
    ],
    [
      "a negative duration",
      ANY_LENGTH,
      { duration_seconds: -1 },
      "duration_seconds: must be from 1 to 60 seconds",
    ],
    [
      "a duration that is not in the model's list",
      LISTED,
      { duration_seconds: 6 },
      "duration_seconds: must be one of 5, 12.5",
    ],
    [
      "a style that the model does not have",
      ANY_LENGTH,
      { music_style: "Jazz" },
      "music_style: must be one of jazz, rock",
    ],
    ["a voice", ANY_LENGTH, { voice: "ava" }, "voice: must be absent: it belongs to audio_kind speech"],
    ["speakers", ANY_LENGTH, { speakers: ["ava"] }, "speakers: must be absent"],
    ["a speed", ANY_LENGTH, { speed: 1 }, "speed: must be absent"],
    [
      "reference images if the model does not support them",
      ANY_LENGTH,
      { reference_image_urls: ["https://a.b/c"] },
      "reference_image_urls: must be absent",
    ],
  ];
  for (const [name, model, fields, says] of refused) {
    test(`refuses ${name}`, () => expect(() => musicOf(model, fields)).toThrow(says));
  }

  test("accepts only durations within the model's limits", () => {
    fc.assert(
      fc.property(fc.double(), (duration_seconds) => {
        try {
          const { durationMs } = musicOf(ANY_LENGTH, { duration_seconds });
          expect(Number.isInteger(durationMs) && durationMs >= 1_000 && durationMs <= 60_000).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});

test("an error that lists a model's voices names only the first of them, and how many more there are", () => {
  const voices = Array.from({ length: 300 }, (_, at) => `voice-${at}`);
  const many = modelFrom({
    type: "audio",
    audio_kind: "speech",
    price: { per_thousand_characters: 1 },
    limits: { max_characters: 100, voices },
  });
  const ask = () => audioOptionsFor(many, fieldsOf({ audio_kind: "speech", voice: "nobody" }));
  expect(ask).toThrow(/voice-23 and 276 more that the list of models names for this model$/);
});

test("the schema has exactly these fields", () => {
  const fields = Object.keys(audioBodySchema.shape);
  expect(fields).toEqual([
    "model",
    "prompt",
    "audio_kind",
    "voice",
    "speakers",
    "speed",
    "music_style",
    "duration_seconds",
    "reference_image_urls",
  ]);
});
