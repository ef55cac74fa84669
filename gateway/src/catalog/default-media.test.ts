import { describe, expect, test } from "bun:test";
import { imageCost, musicCost, speechCost, videoCost } from "./media-cost.ts";
import type { Model } from "./model.ts";
import { resolveModel } from "./resolve.ts";
import { catalogWith } from "./testing.ts";

const organization = { id: "org-1", slug: "first", plan: "free", disabledModels: new Set<string>() };
const paid = [...catalogWith({}).models.values()].filter((model) => model.type !== "text" && !model.isTest);

/** The minimum cost of a call of the model's default kind. */
function leastCost(model: Model): number {
  switch (model.type) {
    case "image": {
      const aspectRatio = model.limits.aspectRatios[0] ?? "";
      return imageCost({ model, tier: "1k", aspectRatio, n: 1 });
    }
    case "video": {
      const { duration, resolutions } = model.limits;
      const resolution = resolutions[0] ?? "";
      return videoCost({ model, durationMs: duration.minMs, resolution, sound: false, draft: false });
    }
    case "audio":
      return model.audioKind === "speech"
        ? speechCost({ model, characters: 1_000 })
        : musicCost({ model, durationMs: model.limits.duration.minMs });
    default:
      return 0;
  }
}

describe("every image, audio or video model of a provider", () => {
  test("names the source and date of its price, and has its own name and a description", () => {
    for (const { id, source, name, description } of paid) {
      expect(source, id).toEqual({ name: "LiteLLM model prices", date: expect.stringMatching(/^20\d\d-/) });
      expect(name, id).not.toBe(id);
      expect(description, id).toEndWith(".");
    }
    expect(new Set(paid.map(({ name }) => name)).size).toBe(paid.length);
  });

  test("costs more than 1 credit even for its cheapest call", () => {
    for (const model of paid) expect(leastCost(model), model.id).toBeGreaterThan(1);
  });

  test("that makes images offers 1:1 and the tier 1k", () => {
    for (const model of paid) {
      if (model.type !== "image") continue;
      expect(model.limits.aspectRatios, model.id).toContain("1:1");
      expect([...model.price.units.keys()], model.id).toContain("1k");
    }
  });
});

describe.each([
  ["svc-image", "image", ["openai", "google", "fal"]],
  ["svc-video", "video", ["google"]],
] as const)("%s", (alias, type, providers) => {
  test.each(providers)("is served by %s if no other provider is configured", (provider) => {
    const catalog = catalogWith({}, { configuredProviders: new Set([provider]) });
    expect(resolveModel({ catalog, organization, id: alias, type })?.provider).toBe(provider);
  });
});

test.each([
  ["gpt-image-1.5", "1:1", 34],
  ["gpt-image-1.5", "3:2", 50],
  ["fal/fal-ai/recraft/v3/text-to-image", "1:1", 40],
  ["gemini-3.1-flash-image", "16:9", 68],
])("one image of %s at %s costs 1,000 credits per dollar, rounded up: %d", (id, aspectRatio, expected) => {
  const model = paid.find((each) => each.id === id);
  if (model?.type !== "image") throw new Error("it is in the list");
  const cost: number = imageCost({ model, tier: "1k", aspectRatio, n: 1 });
  expect(cost).toBe(expected);
});
