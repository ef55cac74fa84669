import type { PublishedModel } from "../model.ts";
import { priceTerms } from "../price-rule.ts";
import { durationLimit } from "./duration-limit.ts";
import type { DurationEntry, ModelEntry } from "./entry-schema.ts";

/** What an organization may see of an entry: no targets, no visibility, nothing about other organizations. */
export function publishModel(entry: ModelEntry, provider: string): PublishedModel {
  return Object.freeze({
    id: entry.id,
    name: entry.name,
    type: entry.type,
    provider,
    credits_per_request: entry.credits_per_request,
    description: entry.description ?? null,
    price: Object.freeze(priceTerms(entry)),
    limits: Object.freeze(publishedLimits(entry)),
    capabilities: Object.freeze([...entry.capabilities]),
  });
}

function publishedLimits(entry: ModelEntry): Record<string, unknown> {
  switch (entry.type) {
    case "text":
      return {
        context_tokens: entry.limits.context_tokens,
        max_output_tokens: entry.limits.max_output_tokens,
      };
    case "image":
      return { resolution_tiers: Object.keys(entry.price.units), aspect_ratios: entry.limits.aspect_ratios };
    case "video":
      return {
        duration_seconds: inSeconds(entry.limits.duration_seconds),
        resolutions: Object.keys(entry.price.per_second),
        aspect_ratios: entry.limits.aspect_ratios,
      };
    case "audio":
      return entry.audio_kind === "speech"
        ? { audio_kind: "speech", max_characters: entry.limits.max_characters, voices: entry.limits.voices }
        : {
            audio_kind: "music",
            duration_seconds: inSeconds(entry.limits.duration_seconds),
            styles: entry.limits.styles,
          };
  }
}

function inSeconds(entry: DurationEntry): Record<string, unknown> {
  const limit = durationLimit(entry);
  return {
    min: limit.minMs / 1000,
    max: limit.maxMs / 1000,
    default: limit.defaultMs / 1000,
    ...(limit.valuesMs ? { values: limit.valuesMs.map((ms) => ms / 1000) } : {}),
  };
}
