/** Must never appear in a log, a table or a reply. */
export const CANARIES = {
  upstreamKey: "sk-canary-7d1e5b90c24f",
  secret: "canary-secret-0f3b9a7c5d1e2468-keep-me-out-of-sight",
  metricsToken: "canary-metrics-4471-98ab",
} as const;

/** Ways in which an upstream fails, one model for each; none of them may cost anything. */
const BEHAVIOURS = [
  "status:500",
  "reset",
  "close",
  "garbage",
  "html",
  "error-object",
  "empty-body",
  "not-json",
  "wrong-shape",
  "short-length",
  "broken:reset:3",
  "broken:malformed:2",
  "broken:error:2",
  "broken:end:2",
  "429:1",
  "leak:400",
  "401",
];

export const BROKEN = BEHAVIOURS.map((behaviour, at) => ({ id: `broken-${at}`, behaviour }));
export const PICTURE = "picture";
const PICTURE_CREDITS = 5;
export const VIDEO = "video";
const VIDEO_CREDITS = 20;

/** Chat models by their minimum price per request; `failover` has a first target that always fails. */
export const CHAT_MODELS = [
  { id: "one", credits: 1, providers: ["acme"] },
  { id: "three", credits: 3, providers: ["acme"] },
  { id: "billed", credits: 1, providers: ["biller"] },
  { id: "failover", credits: 2, providers: ["broken", "acme"] },
] as const;

/** Tags are reported as token counts; above this, a report would not be believed. */
const MOST_TAGS = 2_000_000;
export const PROMPT_TOKENS = 10;
const TOKENS_PER_CREDIT = 1_000_000;

/** What a finished call must have cost, by the prices below and the usage that its upstream reported. */
export function costOf(model: string, tag: number): number {
  if (model === PICTURE) return PICTURE_CREDITS;
  if (model === VIDEO) return VIDEO_CREDITS;
  const least = CHAT_MODELS.find(({ id }) => id === model)?.credits ?? Number.NaN;
  return Math.max(least, Math.ceil((PROMPT_TOKENS + tag) / TOKENS_PER_CREDIT));
}

/** Short, so that a minute's outage exceeds all of them. */
const TIMEOUTS = {
  connect_ms: 2_000,
  first_byte_ms: 5_000,
  idle_ms: 5_000,
  call_ms: 20_000,
  settle_ms: 10_000,
  drain_ms: 3_000,
};

export function runSettings(upstream: { readonly url: string; readonly brokenUrl: string }): object {
  const wire = (base_url: string, on_disconnect: "stop" | "drain") => ({
    ...{ kind: "openai-wire", base_url, on_disconnect },
    api_key: CANARIES.upstreamKey,
  });
  return {
    providers: {
      acme: wire(`${upstream.url}/v1`, "stop"),
      biller: wire(`${upstream.url}/v1`, "drain"),
      broken: wire(upstream.brokenUrl, "stop"),
      videos: { kind: "fal", base_url: upstream.url, api_key: CANARIES.upstreamKey },
    },
    models: [
      ...CHAT_MODELS.map(({ id, credits, providers }) =>
        textModel(
          id,
          credits,
          providers.map((provider) => ({ provider, model: provider === "broken" ? "status:503" : id })),
        ),
      ),
      ...BROKEN.map(({ id, behaviour }) => textModel(id, 1, [{ provider: "broken", model: behaviour }])),
      pictureModel(),
      videoModel(),
    ],
    plans: {
      enterprise: { requests_per_minute: 1_000_000, in_flight: 100_000, video_jobs: 100_000 },
      pro: { requests_per_minute: 1_000_000, in_flight: 100_000, video_jobs: 100_000 },
    },
    packs: { tiny: { usd: 1, credits: 100 } },
    timeouts: TIMEOUTS,
  };
}

function textModel(id: string, credits: number, targets: readonly object[]): object {
  return {
    ...{ id, name: id, type: "text", targets, credits_per_request: credits },
    price: { input_per_million: 1, output_per_million: 1 },
    limits: { context_tokens: 2 * MOST_TAGS, max_output_tokens: MOST_TAGS },
  };
}

function pictureModel(): object {
  return {
    ...{ id: PICTURE, name: PICTURE, type: "image", credits_per_request: PICTURE_CREDITS },
    targets: [{ provider: "acme", model: PICTURE }],
    price: { units: { "1k": 1 } },
    limits: { aspect_ratios: ["1:1"] },
  };
}

function videoModel(): object {
  return {
    ...{ id: VIDEO, name: VIDEO, type: "video", credits_per_request: 1 },
    targets: [{ provider: "videos", model: "acme/good" }],
    price: { per_second: { "480p": 5 } },
    limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
  };
}
