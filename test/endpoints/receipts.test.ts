import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { endOfVideo, submitVideo } from "../faults/video-client.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { costByReceipt } from "../receipt-cost.ts";

/** The usage that the upstream reports, and how many answers it gives. */
let usage: object = {};
let answers = 1;
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    await request.text();
    const message = { role: "assistant", content: "Hi." };
    const choices = Array.from({ length: answers }, (_, index) => ({
      index,
      message,
      finish_reason: "stop",
    }));
    return Response.json({ id: "x", object: "chat.completion", created: 1, model: "x", choices, usage });
  },
});

const bySandbox = (model: string) => ({
  targets: [{ provider: "sandbox", model: `sandbox-${model}` }],
  test: true,
});
/** Rates at which no two parts cost the same. */
const MODELS = [
  {
    ...{ id: "words", name: "Words", type: "text", credits_per_request: 2 },
    targets: [{ provider: "acme", model: "m" }],
    price: {
      ...{ input_per_million: 70_001, cached_input_per_million: 7_013.5, cache_write_per_million: 90_017 },
      ...{ audio_input_per_million: 110_023, output_per_million: 300_029, reasoning_per_million: 500_041 },
    },
    limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
  },
  {
    ...{
      id: "pictures",
      name: "Pictures",
      type: "image",
      credits_per_request: 3,
      ...bySandbox("image"),
    },
    price: { units: { "1k": 1, "2k": 2 }, per_image: { "1k": 7.3 }, per_oblong_image: { "1k": 9.7 } },
    limits: { aspect_ratios: ["1:1", "16:9"] },
  },
  {
    ...{ id: "voice", name: "Voice", type: "audio", audio_kind: "speech", credits_per_request: 1 },
    ...bySandbox("voice"),
    price: { per_thousand_characters: 777.7 },
    limits: { max_characters: 500, voices: ["ava"] },
  },
  {
    ...{ id: "tunes", name: "Tunes", type: "audio", audio_kind: "music", credits_per_request: 1 },
    ...bySandbox("music"),
    price: { per_second: 3.3 },
    limits: { duration_seconds: { min: 1, max: 10, default: 2 }, styles: ["jazz"] },
  },
  {
    ...{ id: "film", name: "Film", type: "video", credits_per_request: 1, ...bySandbox("video") },
    price: { per_second: { "480p": 5.7 }, sound_basis_points: 13_001, draft_basis_points: 5_003 },
    limits: { duration_seconds: { min: 1, max: 4, default: 1 }, aspect_ratios: ["16:9"] },
    capabilities: ["sound", "draft"],
  },
];

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  const acme = { kind: "openai-wire", base_url: `http://127.0.0.1:${upstream.port}/v1`, api_key: "sk-x" };
  settings = writeSettings({ providers: { acme }, models: MODELS });
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 100_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

type Checked = readonly [told: number | undefined, computed: number, measured: unknown];

/** What the caller was charged, and what the receipt's owner computes. */
async function paid(path: string, body: object): Promise<Checked> {
  const response = await fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const reply = (await response.json()) as { credits_charged?: number; error?: unknown };
  expect([response.status, reply.error]).toEqual([200, undefined]);
  return checked(response.headers.get("x-request-id"), reply.credits_charged);
}

async function checked(requestId: string | null, told: number | undefined): Promise<Checked> {
  const { rows } = await gateway.services.db.pool.query(
    `select p.rule, q.input_tokens::float8, q.output_tokens::float8, q.measured
     from requests q join price_rules p on p.id = q.price_rule where q.request_id = $1`,
    [requestId],
  );
  const { rule, input_tokens: inputTokens, output_tokens: outputTokens, measured } = rows[0] ?? {};
  return [told, costByReceipt({ rule, inputTokens, outputTokens, measured }), measured];
}

const say = (more: object = {}) =>
  paid("/v1/chat/completions", { model: "words", messages: [{ role: "user", content: "Hello" }], ...more });

test("calls are charged by the kinds of their tokens, and the receipt has what reproduces the charge", async () => {
  usage = { prompt_tokens: 12_000, completion_tokens: 900, total_tokens: 12_900 };
  expect(await say()).toEqual([1_111, 1_111, null]);
  usage = {
    ...usage,
    prompt_tokens_details: { cached_tokens: 11_000, audio_tokens: 200 },
    completion_tokens_details: { reasoning_tokens: 300 },
  };
  const details = { cached_input_tokens: 11_000, audio_input_tokens: 200, reasoning_tokens: 300 };
  const measured = { ...details, cache_saved: 692_862_500 };
  expect(await say()).toEqual([486, 486, measured]);
  // Streamed or not, it is priced in one place; each answer has its own minimum price.
  usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
  answers = 3;
  expect(await say({ n: 3 })).toEqual([6, 6, { n: 3 }]);
  answers = 1;
});

test("receipts of images, speech and music have the counts, sizes and lengths that reproduce the charge", async () => {
  const images = "/functions/v1/api-v1-images";
  const draw = (more: object) => paid(images, { model: "pictures", prompt: "A lighthouse", ...more });
  expect(await draw({})).toEqual([8, 8, { images: { "1k": 1 } }]);
  const two = { model: "pictures", prompt: "A lighthouse", n: 2 };
  expect(await paid("/v1/images/generations", two)).toEqual([15, 15, { images: { "1k": 2 } }]);
  expect(await draw({ aspect_ratio: "16:9" })).toEqual([10, 10, { images: { "1k": 1 }, oblong: true }]);
  expect(await draw({ resolution_tier: "2k" })).toEqual([6, 6, { images: { "2k": 1 } }]);
  const audio = "/functions/v1/api-v1-audio";
  const spoken = { model: "voice", prompt: "Good mörning. 🦊" };
  expect(await paid(audio, spoken)).toEqual([12, 12, { characters: 15 }]);
  const [told, computed, measured] = await paid(audio, {
    model: "tunes",
    audio_kind: "music",
    prompt: "Rain",
    duration: 2,
  });
  expect(told).toBe(computed);
  expect(measured).toEqual({ duration_ms: 2_000 });
});

test("the receipt of a video has the length, resolution and sound that reproduce the charge", async () => {
  const asking = { origin: gateway.origin, of: own };
  const wish = { model: "film", duration: 1, resolution: "480p", generate_audio: true };
  const submitted = (await (await submitVideo(asking, wish)).json()) as { request_id: string };
  const ended = await endOfVideo(asking, submitted.request_id);
  const measured = { duration_ms: 1_000, resolution: "480p", sound: true };
  expect(await checked(submitted.request_id, ended.credits_charged)).toEqual([8, 8, measured]);
});
