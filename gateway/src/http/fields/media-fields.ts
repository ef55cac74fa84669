import { z } from "zod";
import type { VideoModel } from "../../catalog/index.ts";
import type { ResolvedCall, WaitingCall } from "../../generation/index.ts";
import { invalid } from "../../kit/index.ts";
import type { Call } from "../context.ts";

/** Request fields that all media endpoints share. */

export const MAX_PROMPT_CHARACTERS = 32_000;
const PROMPT_ACCEPTS = `must be text of 1 to ${MAX_PROMPT_CHARACTERS.toLocaleString("en")} characters, not only whitespace`;

/** Blank text asks for nothing and would still be charged. */
export function promptField(what: string) {
  return z
    .string({ error: PROMPT_ACCEPTS })
    .refine((text) => text.trim() !== "" && charactersOf(text) <= MAX_PROMPT_CHARACTERS, {
      error: PROMPT_ACCEPTS,
    })
    .meta({ description: what, minLength: 1, maxLength: MAX_PROMPT_CHARACTERS });
}

/** Counts Unicode code points: a surrogate pair is one character. */
export function charactersOf(text: string): number {
  let characters = text.length;
  for (let at = 0; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) characters--;
  }
  return characters;
}

/** A model's lists may be long: a message names this many values and says where to find the others. */
const MOST_NAMED = 24;

/** Returns the value if the model supports it, else throws. */
export function oneOfModel(field: string, value: string, known: readonly string[]): string {
  if (known.includes(value)) return value;
  throw invalid(field, `must be one of ${namesOf(known)} for this model`);
}

export function namesOf(known: readonly string[]): string {
  const others = known.length - MOST_NAMED;
  const named = known.slice(0, MOST_NAMED).join(", ");
  return others > 0 ? `${named} and ${others} more that the list of models names` : named;
}

type DurationLimit = VideoModel["limits"]["duration"];

/** In whole milliseconds. The bounds apply to the requested value, not to the rounded one. */
export function durationMsOf(
  field: string,
  seconds: number | null | undefined,
  { minMs, maxMs, valuesMs, defaultMs }: DurationLimit,
): number {
  if (seconds == null) return defaultMs;
  const isWithin = seconds >= minMs / 1_000 && seconds <= maxMs / 1_000;
  const ms = Math.round(seconds * 1_000);
  if (isWithin && (valuesMs === null || valuesMs.includes(ms))) return ms;
  if (valuesMs === null)
    throw invalid(field, `must be from ${minMs / 1_000} to ${maxMs / 1_000} seconds for this model`);
  throw invalid(field, `must be one of ${valuesMs.map((value) => value / 1_000).join(", ")} for this model`);
}

/** What every media call passes on, whatever it generates. */
export function mediaCallOf(
  call: Call,
  endpoint: string,
): Omit<ResolvedCall, "model" | "plan"> & WaitingCall {
  const { principal, memberUserId, requestId, idempotency, span } = call;
  const askAgain = () => call.askAgain();
  return { principal, memberUserId, requestId, endpoint, idempotency, span, askAgain };
}
