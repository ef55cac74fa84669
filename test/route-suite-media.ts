import type { RouteCases, WrongField } from "./route-case.ts";

/** Settings with models that cost one credit, as every call of the suite does. */
export function suiteSettings(baseUrl: string): object {
  const shared = { targets: [{ provider: "acme", model: "m" }], credits_per_request: 1 };
  return {
    providers: { acme: { kind: "openai-wire", base_url: baseUrl, api_key: "sk-upstream" } },
    models: [
      {
        ...{ ...shared, id: "suite-image", name: "Image", type: "image" },
        price: { units: { "1k": 1 } },
        limits: { aspect_ratios: ["1:1", "16:9"] },
      },
      {
        ...{ ...shared, id: "suite-voice", name: "Voice", type: "audio", audio_kind: "speech" },
        price: { per_thousand_characters: 0 },
        limits: { max_characters: 32_000, voices: ["ava"] },
      },
    ],
  };
}

const IMAGE = { model: "suite-image", prompt: "A lighthouse" };
const AUDIO = { model: "suite-voice", prompt: "Good morning." };

/** Bad prompts, models and keys, for every route that makes a file. */
function wrongOnEveryMediaRoute(
  good: Readonly<Record<string, unknown>>,
  statusOfModel: number,
): WrongField[] {
  return [
    ...["gpt", "SUITE-IMAGE", "suite-image ", "acme/m", "sandbox-chat"].map((model) => ({
      name: `the model ${JSON.stringify(model)}`,
      body: { ...good, model },
      status: statusOfModel,
      says: `model: ${model.replace(" ", "?")} is `,
    })),
    ...[undefined, null, "", " ", 5, ["x"], "x".repeat(32_001)].map((prompt) => ({
      name: `the prompt ${JSON.stringify(prompt)?.slice(0, 20)}`,
      body: { ...good, prompt },
      status: 400,
      says: "prompt: must be text of 1 to 32,000 characters, not only whitespace",
    })),
    {
      name: "an Idempotency-Key with a space",
      headers: { "idempotency-key": "a b" },
      status: 400,
      says: "Idempotency-Key: must be",
    },
  ];
}

function wrong(
  good: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): WrongField {
  const [field] = Object.keys(fields);
  return {
    name: JSON.stringify(fields).slice(0, 60),
    body: { ...good, ...fields },
    status: 400,
    says: `${field}: must be`,
  };
}

const WRONG_IMAGE_FIELDS = [
  { aspect_ratio: "wide" },
  { aspect_ratio: 1 },
  { aspect_ratio: "21:9" },
  { resolution_tier: "8k" },
  { resolution_tier: "4k" },
  { negative_prompt: 5 },
] as const;

const WRONG_IMAGES_FIELDS = [
  ...WRONG_IMAGE_FIELDS,
  ...[0, -1, 11, 1.5, "2", 2 ** 53].map((n) => ({ n })),
  { size: "1024" },
  { size: 1_024 },
  { size: `1${"0".repeat(10_000)}x1` },
  { response_format: "png" },
  { stream: true },
  { stream: "true" },
] as const;

const WRONG_AUDIO_FIELDS = [
  { audio_kind: "noise" },
  { audio_kind: "music" },
  { voice: "zoe" },
  { voice: 5 },
  { speed: 0 },
  { speed: 5 },
  { speed: 2 },
  { speakers: "ava" },
  { speakers: ["ava"] },
  { speakers: Array(17).fill("ava") },
  { music_style: "jazz" },
  { duration_seconds: "5" },
  { duration_seconds: 5 },
  { reference_image_urls: "https://example.com/a.png" },
  { reference_image_urls: ["https://example.com/a.png"] },
  { reference_image_urls: Array(17).fill("https://example.com/a.png") },
] as const;

export const MEDIA_CASES: Readonly<Record<string, RouteCases>> = {
  "POST /functions/v1/api-v1-images": {
    good: { path: "/functions/v1/api-v1-images", body: IMAGE },
    wrong: [
      ...wrongOnEveryMediaRoute(IMAGE, 403),
      ...WRONG_IMAGE_FIELDS.map((fields) => wrong(IMAGE, fields)),
    ],
  },
  "POST /v1/images/generations": {
    good: { path: "/v1/images/generations", body: IMAGE },
    wrong: [
      ...wrongOnEveryMediaRoute(IMAGE, 404),
      ...WRONG_IMAGES_FIELDS.map((fields) => wrong(IMAGE, fields)),
    ],
  },
  "POST /functions/v1/api-v1-audio": {
    good: { path: "/functions/v1/api-v1-audio", body: AUDIO },
    wrong: [
      ...wrongOnEveryMediaRoute(AUDIO, 403),
      ...WRONG_AUDIO_FIELDS.map((fields) => wrong(AUDIO, fields)),
    ],
  },
};
