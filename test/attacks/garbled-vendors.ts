/**
 * Vendors that are reached through the AI SDK, played by one server. Each response begins well, if it is a stream, and
 * continues unreadably: as no JSON if the prompt says `unreadable`, as JSON of another shape if it says `misshapen`. A
 * video whose prompt says `later` is accepted, and its status is unreadable when it is polled.
 */
type GarbledVendors = {
  /** Their part of the gateway's settings. */
  readonly providers: Readonly<Record<string, object>>;
  readonly models: readonly object[];
  /** Null if the request is for none of these vendors. */
  answer(request: Request, body: string): Response | null;
};

export const GARBLED_WAYS = ["unreadable", "misshapen"] as const;

/** Model ids, by the endpoint that serves them. */
export const GARBLED_MODELS = {
  chat: ["google-chat", "anthropic-chat", "cohere-chat"],
  images: ["google-picture", "fal-picture", "replicate-picture"],
  audio: ["google-voice", "xai-voice", "fal-voice"],
  video: ["google-video", "xai-video"],
} as const;

const VENDORS = ["google", "anthropic", "cohere", "xai", "fal", "replicate"];

/** Valid beginnings of streams, by vendor. */
export const OPENINGS = {
  google: [{ candidates: [{ content: { parts: [{ text: "Good" }] } }] }],
  anthropic: [
    {
      type: "message_start",
      message: {
        ...{ id: "m", type: "message", role: "assistant", model: "c", content: [] },
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
  cohere: [{ type: "message-start", id: "a" }],
} as const;

/** `written` appears in every response where a model's text would be. */
export function garbledVendors(origin: string, apiKey: string, written: string): GarbledVendors {
  const providers = VENDORS.map((kind) => [kind, { kind, base_url: `${origin}/${kind}`, api_key: apiKey }]);
  return {
    providers: Object.fromEntries(providers),
    models: MODELS,
    answer(request, body) {
      const { pathname } = new URL(request.url);
      const vendor = pathname.split("/")[1] ?? "";
      if (!VENDORS.includes(vendor)) return null;
      const way = GARBLED_WAYS.find((word) => `${pathname} ${body}`.includes(word)) ?? "unreadable";
      if (body.includes("later")) return Response.json({ name: `operations/${way}`, request_id: way });
      const garbled = GARBLED[way](written);
      const isStream = /stream/i.test(pathname) || body.includes('"stream":true');
      return isStream
        ? streamOf([...(isOpened(vendor) ? OPENINGS[vendor] : []).map((one) => JSON.stringify(one)), garbled])
        : wholeOf(garbled);
    },
  };
}

const GARBLED = {
  unreadable: (written: string) => `{"text": "${written}`,
  misshapen: (written: string) =>
    JSON.stringify({
      type: written,
      ...{ candidates: written, images: written, audio: written, urls: written },
      ...{ name: { written }, request_id: { written }, response: written, status: { written } },
    }),
} as const;

function streamOf(events: readonly string[]): Response {
  const text = events.map((data) => `data: ${data}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

function wholeOf(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}

const KINDS = {
  chat: {
    type: "text",
    price: { input_per_million: 1, output_per_million: 1 },
    limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
  },
  picture: { type: "image", price: { units: { "1k": 1 } }, limits: { aspect_ratios: ["1:1"] } },
  voice: {
    ...{ type: "audio", audio_kind: "speech", price: { per_thousand_characters: 2 } },
    limits: { max_characters: 5_000, voices: ["ava"] },
  },
  video: {
    ...{ type: "video", price: { per_second: { "480p": 5 } } },
    limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
  },
} as const;

/** The vendors' own ids, where the AI SDK chooses the request by the model's id. */
const UPSTREAM_IDS: Readonly<Record<string, string>> = {
  "google-picture": "gemini-2.5-flash-image",
  "replicate-picture": "acme/picture",
};

const MODELS = Object.values(GARBLED_MODELS)
  .flat()
  .map((id) => {
    const [provider = "", kind = ""] = id.split("-");
    return {
      ...{ id, name: id, credits_per_request: 1, targets: [{ provider, model: UPSTREAM_IDS[id] ?? id }] },
      ...KINDS[kind as keyof typeof KINDS],
    };
  });

function isOpened(vendor: string): vendor is keyof typeof OPENINGS {
  return Object.hasOwn(OPENINGS, vendor);
}
