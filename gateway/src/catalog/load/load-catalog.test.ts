import { describe, expect, test } from "bun:test";
import { catalogWith, inspectCatalog, modelFrom, TEXT_ENTRY } from "../testing.ts";
import { readDefaults } from "./load-catalog.ts";

function problemsOf(sections: Record<string, unknown>): readonly string[] {
  const loaded = inspectCatalog(sections);
  return loaded.outcome === "refused" ? loaded.problems : [];
}

function textWith(change: Record<string, unknown>): Record<string, unknown> {
  return { models: [{ ...TEXT_ENTRY, ...change }] };
}

describe("the default catalog", () => {
  const catalog = catalogWith({});

  test("has the three plans and their limits", () => {
    const rows = [...catalog.plans.values()].map((plan) => Object.values(plan).join(" "));
    expect(rows).toEqual([
      "free 0 0 60 5 1",
      "pro 4900 50000 600 50 10",
      "enterprise 49900 600000 6000 500 100",
    ]);
  });

  test("has the three packs", () => {
    const rows = [...catalog.packs.values()].map((pack) => [pack.credits, pack.usdCents]);
    expect(rows).toEqual([
      [10_000, 1000],
      [100_000, 9500],
      [1_000_000, 90_000],
    ]);
  });

  test("publishes its aliases under the configured prefix", () => {
    expect([...catalogWith({}, { aliasPrefix: "acme-" }).aliases.keys()]).toEqual([
      "acme-code",
      "acme-fast",
      "acme-image",
      "acme-video",
    ]);
  });

  test("has only the sections aliases, models, packs and plans", () => {
    expect(Object.keys(readDefaults()).sort()).toEqual(["aliases", "models", "packs", "plans"]);
  });
});

describe("an overlay", () => {
  test("replaces a model with the same id as a whole", () => {
    const catalog = catalogWith(textWith({ id: "sandbox-chat", name: "Mine" }));
    expect(catalog.models.size).toBe(catalogWith({}).models.size);
    expect(catalog.models.get("sandbox-chat")).toMatchObject({
      name: "Mine",
      provider: "acme",
      description: null,
    });
  });

  test("adds models and aliases, and replaces an alias by its name", () => {
    const catalog = catalogWith({
      models: [TEXT_ENTRY],
      aliases: { "svc-fast": ["acme-chat", "sandbox-chat"], "gpt-4": ["acme-chat"] },
    });
    const defaults = catalogWith({});
    expect([...catalog.models.keys()]).toEqual([...defaults.models.keys(), "acme-chat"]);
    expect(Object.fromEntries(catalog.aliases)).toEqual({
      ...Object.fromEntries(defaults.aliases),
      "svc-fast": ["acme-chat", "sandbox-chat"],
      "gpt-4": ["acme-chat"],
    });
  });

  test("changes only the fields of a plan that it names", () => {
    const { plans } = catalogWith({ plans: { pro: { requests_per_minute: 1200 } } });
    expect(plans.get("pro")).toMatchObject({ requestsPerMinute: 1200, usdCents: 4900, inFlight: 50 });
  });

  test("must name every field of a new plan", () => {
    expect(problemsOf({ plans: { team: { usd: 99 } } })).toEqual([
      "plans.team.monthly_credits: must be a whole number from 0 to 1000000000000 (missing)",
      "plans.team.requests_per_minute: must be a whole number from 1 to 1000000 (missing)",
      "plans.team.in_flight: must be a whole number from 1 to 100000 (missing)",
      "plans.team.video_jobs: must be a whole number from 0 to 100000 (missing)",
    ]);
  });

  test("is told the fields of a plan where it misspells one", () => {
    expect(problemsOf({ plans: { pro: { monthly_credit: 5 } } })).toEqual([
      "plans.pro.monthly_credit: is not a setting; known here: usd, monthly_credits, requests_per_minute, in_flight, video_jobs",
    ]);
  });

  test("gets exactly one problem for a number that is far too large", () => {
    expect(problemsOf({ plans: { pro: { monthly_credits: 1e20 } } })).toEqual([
      "plans.pro.monthly_credits: must be a whole number from 0 to 1000000000000 (got 100000000000000000000)",
    ]);
  });

  test("has its variables shown by name in problems, never by value", () => {
    const written = "$".concat("{SECRET}");
    const loaded = inspectCatalog(
      {},
      {
        overlay: {
          given: textWith({ type: "canary-secret" }),
          asWritten: textWith({ type: written }),
        },
      },
    );
    expect(loaded).toEqual({
      outcome: "refused",
      problems: [`models[0].type: must be one of text, image, video, audio (got "${written}")`],
    });
  });
});

const RATES =
  "input_per_million, output_per_million, cached_input_per_million, cache_write_per_million, reasoning_per_million, audio_input_per_million, long_input";
const NUMBER = "must be a number from 0 to 1000000 with at most 6 decimals";

describe("an invalid setting refuses to load and is named", () => {
  const LONG = { above_tokens: 100_000, input_per_million: 200, output_per_million: 600 };
  const price = (change: Record<string, unknown>) => textWith({ price: { ...TEXT_ENTRY.price, ...change } });
  const limits = (change: Record<string, unknown>) =>
    textWith({ limits: { ...TEXT_ENTRY.limits, ...change } });

  const cases = [
    [price({ input_per_million: -1 }), `models[0].price.input_per_million: ${NUMBER} (got -1)`],
    [price({ output_per_million: Number.NaN }), `models[0].price.output_per_million: ${NUMBER} (got NaN)`],
    [price({ output_per_million: 1e9 }), `models[0].price.output_per_million: ${NUMBER} (got 1000000000)`],
    [price({ input_per_million: 0.1234567 }), `models[0].price.input_per_million: ${NUMBER} (got 0.1234567)`],
    [price({ input_per_million: "5" }), `models[0].price.input_per_million: ${NUMBER} (got "5")`],
    [
      price({ input_per_milion: 5 }),
      `models[0].price.input_per_milion: is not a setting; known here: ${RATES}`,
    ],
    [
      price({ cached_input_per_million: 101 }),
      "models[0].price.cached_input_per_million: must not be above input_per_million (got 101)",
    ],
    [
      price({ long_input: { ...LONG, input_per_million: 99 } }),
      "models[0].price.long_input.input_per_million: must not be below that of shorter input (got 99)",
    ],
    [
      price({ reasoning_per_million: 900, long_input: LONG }),
      "models[0].price.long_input.reasoning_per_million: must not be below that of shorter input (missing)",
    ],
    [
      price({ audio_input_per_million: 201, long_input: LONG }),
      "models[0].price.long_input.audio_input_per_million: must not be below that of shorter input (missing)",
    ],
    [
      price({ long_input: { ...LONG, cached_input_per_million: 201 } }),
      "models[0].price.long_input.cached_input_per_million: must not be above input_per_million (got 201)",
    ],
    [
      price({ long_input: { ...LONG, above_tokens: 0 } }),
      "models[0].price.long_input.above_tokens: must be a whole number from 1 to 100000000 (got 0)",
    ],
    [
      limits({ window_tokens: 127_999 }),
      "models[0].limits.window_tokens: must not be below context_tokens (got 127999)",
    ],
    [
      limits({ tokens_per_image: 700 }),
      "models[0].limits.tokens_per_image: needs the capability images (got 700)",
    ],
    [
      textWith({ capabilities: ["images"], limits: { ...TEXT_ENTRY.limits, tokens_per_file: 9 } }),
      "models[0].limits.tokens_per_file: needs the capability files (got 9)",
    ],
    [
      textWith({ credits_per_request: 1.5 }),
      "models[0].credits_per_request: must be a whole number from 0 to 1000000 (got 1.5)",
    ],
    [
      textWith({ credits_per_request: undefined }),
      "models[0].credits_per_request: must be a whole number from 0 to 1000000 (missing)",
    ],
    [
      limits({ max_output_tokens: 128_001 }),
      "models[0].limits.max_output_tokens: must not be above context_tokens (got 128001)",
    ],
    [
      limits({ context_tokens: 0 }),
      "models[0].limits.context_tokens: must be a whole number from 1 to 100000000 (got 0)",
    ],
    [textWith({ targets: [] }), "models[0].targets: must be a list of 1 to 16"],
    [
      textWith({ targets: ["acme", "sandbox"].map((provider) => ({ provider, model: "m" })) }),
      "models[0].targets[1].provider: must serve only models with test: true, or none",
    ],
    [
      textWith({ targets: [{ provider: "openai", model: "m" }], test: true }),
      "models[0].targets[0].provider: must serve only models with test: true, or none",
    ],
    [textWith({ test: "yes" }), 'models[0].test: must be true or false (got "yes")'],
    [
      textWith({ targets: [{ provider: "acmee", model: "m" }] }),
      "models[0].targets[0].provider: must be a name defined under providers",
    ],
    [
      textWith({ visibility: { plans: ["pro", "gold"] } }),
      "models[0].visibility.plans[1]: must be one of free, pro, enterprise",
    ],
    [
      textWith({ name: "two\nlines" }),
      'models[0].name: must be one line of 1 to 100 characters (got "two\\nlines")',
    ],
    [
      textWith({ source: { name: "a list", date: "yesterday" } }),
      'models[0].source.date: must be a date written YYYY-MM-DD (got "yesterday")',
    ],
    [{ models: [TEXT_ENTRY, TEXT_ENTRY] }, "models[1].id: appears twice in this list"],
    [{ models: [5] }, "models[0]: must be a mapping (got 5)"],
    [{ models: {} }, "models: must be a list of at most 2000"],
    [{ aliases: { "svc-code": ["nothing"] } }, "aliases.svc-code[0]: must be the id of a model"],
    [{ aliases: { "svc-code": "sandbox-chat" } }, "aliases.svc-code: must be a list of 1 to 50 model ids"],
    [{ aliases: { "sandbox-chat": ["sandbox-chat"] } }, "aliases.sandbox-chat: is already the id of a model"],
    [
      { plans: { pro: { usd: 0.001 } } },
      "plans.pro.usd: must be an amount of US dollars from 0 to 1000000, in whole cents (got 0.001)",
    ],
    [
      { packs: { small: { usd: 10, credits: -5 } } },
      "packs.small.credits: must be a whole number from 1 to 1000000000000 (got -5)",
    ],
    [{ plans: [] }, "plans: must be a mapping of at most 500 names"],
  ].map(([sections, problem]) => ({
    sections: sections as Record<string, unknown>,
    problem: String(problem),
  }));

  test.each(cases)("$problem", ({ sections, problem }) => {
    expect(problemsOf(sections)[0]).toBe(problem);
  });

  test.each(["a b", " a", "a\n", "", "ä", "a".repeat(129), "-a"])("the id %j is refused", (id) => {
    expect(problemsOf(textWith({ id }))[0]).toStartWith("models[0].id: must be 1 to 128 letters");
  });

  test("all invalid settings are reported together", () => {
    expect(
      problemsOf({
        models: [
          { ...TEXT_ENTRY, id: "" },
          { ...TEXT_ENTRY, name: 5 },
        ],
      }),
    ).toHaveLength(2);
  });

  test.each([
    ["type", { type: "txt" }],
    ["type", { type: undefined }],
    ["audio_kind", { type: "audio", audio_kind: "noise" }],
  ])("an invalid %s does not hide the model's other problems: %j", (field, wrong) => {
    const problems = problemsOf(textWith({ ...wrong, id: "", credits_per_request: -1 }));
    expect(problems.map((line) => line.split(":")[0])).toEqual([
      `models[0].${field}`,
      "models[0].id",
      "models[0].credits_per_request",
    ]);
  });
});

describe("a media entry", () => {
  test("of an image model gives its tiers, units, prices and aspect ratios", () => {
    const model = modelFrom({
      type: "image",
      price: { units: { "1k": 1, "4k": 4 }, per_image: { "4k": 2.5 } },
      limits: { aspect_ratios: ["1:1", "16:9"] },
    });
    expect([...model.price.units]).toEqual([
      ["1k", 1],
      ["4k", 4],
    ]);
    expect(model.published.limits).toEqual({
      resolution_tiers: ["1k", "4k"],
      aspect_ratios: ["1:1", "16:9"],
    });
    expect(model.published.price).toMatchObject({ per_image: { "4k": 2.5 } });
  });

  test("of a video model gives resolutions, sorted durations, and rates for sound and draft", () => {
    const model = modelFrom({
      type: "video",
      capabilities: ["sound", "draft"],
      price: { per_second: { "480p": 5, "720p": 8 }, sound_basis_points: 12_500 },
      limits: { duration_seconds: { values: [8, 4, 6.5], default: 4 }, aspect_ratios: ["16:9"] },
    });
    expect(model.price).toMatchObject({ soundBasisPoints: 12_500, draftBasisPoints: 10_000 });
    expect(model.limits).toMatchObject({
      resolutions: ["480p", "720p"],
      duration: { minMs: 4000, maxMs: 8000, defaultMs: 4000, valuesMs: [4000, 6500, 8000] },
    });
    expect(model.published.limits["duration_seconds"]).toEqual({
      min: 4,
      max: 8,
      default: 4,
      values: [4, 6.5, 8],
    });
  });

  test("of a speech model gives characters and voices, that of a music model its duration", () => {
    const speech = modelFrom({
      type: "audio",
      audio_kind: "speech",
      price: { per_thousand_characters: 2 },
      limits: { max_characters: 5000, voices: ["slt"] },
    });
    const music = modelFrom({
      type: "audio",
      audio_kind: "music",
      price: { per_second: 1 },
      limits: { duration_seconds: { min: 1, max: 60, default: 10 }, styles: ["jazz"] },
    });
    expect(speech).toMatchObject({ audioKind: "speech", limits: { maxCharacters: 5000, voices: ["slt"] } });
    expect(music).toMatchObject({ audioKind: "music", limits: { duration: { maxMs: 60_000 } } });
  });
});

test("a target whose provider does not serve the model's type is skipped", () => {
  const entry = {
    id: "acme-image",
    name: "Acme Image",
    type: "image",
    targets: [
      { provider: "acme", model: "m" },
      { provider: "other", model: "n" },
    ],
    credits_per_request: 1,
    price: { units: { "1k": 1 } },
    limits: { aspect_ratios: ["1:1"] },
  };
  const catalog = catalogWith(
    { models: [entry] },
    {
      configuredProviders: new Set(["acme", "other"]),
      serves: (provider, medium) => provider === "other" && medium === "image",
    },
  );
  expect(catalog.models.get("acme-image")?.targets).toEqual([{ provider: "other", model: "n" }]);
});
