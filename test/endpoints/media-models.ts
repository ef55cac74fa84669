/** Settings of a gateway whose images and speech come from `test/upstream/media-upstream.ts`. */
export function mediaSettings(
  baseUrl: string,
  options: {
    readonly spareUrl?: string;
    readonly timeouts?: Readonly<Record<string, number>>;
    /** One image model and one speech model per name, so that failures of one do not count against another. */
    readonly names?: readonly string[];
  } = {},
): object {
  const { spareUrl = baseUrl, timeouts = {}, names = [] } = options;
  const provider = (base_url: string) => ({ kind: "openai-wire", base_url, api_key: "sk-upstream-secret" });
  return {
    providers: { acme: provider(baseUrl), spare: provider(spareUrl) },
    timeouts,
    models: [...MODELS, ...names.flatMap((name) => [pictures(name), sounds(name)])],
    aliases: { "svc-image": ["pictures"] },
  };
}

const targets = [{ provider: "acme", model: "m" }];

/** Costs five credits per image. */
function pictures(name: string) {
  return {
    ...{ id: `pictures-${name}`, name, type: "image" },
    targets: [{ provider: "acme", model: `pictures-${name}` }],
    credits_per_request: 5,
    price: { units: { "1k": 1 } },
    limits: { aspect_ratios: ["1:1"] },
  };
}

function sounds(name: string) {
  return {
    ...{ id: `sounds-${name}`, name, type: "audio", audio_kind: "speech" },
    targets: [{ provider: "acme", model: `sounds-${name}` }],
    credits_per_request: 5,
    price: { per_thousand_characters: 0 },
    limits: { max_characters: 500, voices: ["ava"] },
  };
}

const MODELS = [
  {
    ...{ id: "pictures", name: "Pictures", type: "image", targets },
    credits_per_request: 5,
    price: { units: { "1k": 1, "2k": 2 } },
    limits: { aspect_ratios: ["1:1", "16:9", "3:2"] },
    capabilities: ["negative_prompt"],
  },
  {
    ...{ id: "pictures-twice", name: "Two targets", type: "image" },
    targets: [
      { provider: "acme", model: "twice" },
      { provider: "spare", model: "m" },
    ],
    credits_per_request: 5,
    price: { units: { "2k": 1 } },
    limits: { aspect_ratios: ["16:9"] },
  },
  {
    ...{ id: "voice", name: "Voice", type: "audio", audio_kind: "speech", targets },
    credits_per_request: 1,
    price: { per_thousand_characters: 1_000 },
    limits: { max_characters: 500, voices: ["ava", "ben"] },
    capabilities: ["speed", "speakers"],
  },
  {
    ...{ id: "plain-voice", name: "Plain voice", type: "audio", audio_kind: "speech", targets },
    credits_per_request: 1,
    price: { per_thousand_characters: 1_000 },
    limits: { max_characters: 500, voices: ["ava"] },
  },
];
