import { number } from "./figure-words.ts";
import type { DurationLimit, Model } from "./model.ts";

/** A model's limits in words, one phrase per limit. */
export function limitWords(model: Model): readonly string[] {
  switch (model.type) {
    case "text":
      return [
        `Up to ${number(model.limits.contextTokens)} tokens of context`,
        `Answers of up to ${number(model.limits.maxOutputTokens)} tokens`,
      ];
    case "image":
      return [
        `Sizes: ${listed([...model.price.units.keys()])}`,
        `Shapes: ${listed(model.limits.aspectRatios)}`,
      ];
    case "video":
      return [
        durationWords(model.limits.duration),
        `Resolutions: ${listed(model.limits.resolutions)}`,
        `Shapes: ${listed(model.limits.aspectRatios)}`,
      ];
    case "audio":
      return model.audioKind === "speech"
        ? [`Up to ${number(model.limits.maxCharacters)} characters`, `Voices: ${listed(model.limits.voices)}`]
        : [durationWords(model.limits.duration), `Styles: ${listed(model.limits.styles)}`];
  }
}

function durationWords({ minMs, maxMs, defaultMs, valuesMs }: DurationLimit): string {
  const usual = `${seconds(defaultMs)} unless told otherwise`;
  if (valuesMs) return `${valuesMs.map((ms) => number(ms / 1000)).join(", ")} seconds; ${usual}`;
  return `${number(minMs / 1000)} to ${seconds(maxMs)}; ${usual}`;
}

/** A model may have hundreds of voices. */
const MOST_LISTED = 12;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  const shown = names.slice(0, MOST_LISTED).join(", ");
  return more > 0 ? `${shown} and ${number(more)} more` : shown;
}

function seconds(ms: number): string {
  return `${number(ms / 1000)} ${ms === 1000 ? "second" : "seconds"}`;
}
