import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { ProviderFailure } from "../contract.ts";

export type ReasoningEffort = Exclude<
  LanguageModelV4CallOptions["reasoning"],
  undefined | "provider-default"
>;

const EFFORTS: readonly ReasoningEffort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Null where the caller leaves it to the model. */
export function readEffort(text: string | undefined): ReasoningEffort | null {
  if (text === undefined) return null;
  const effort = EFFORTS.find((candidate) => candidate === text);
  if (effort) return effort;
  throw new ProviderFailure("rejected", `reasoning_effort must be one of ${EFFORTS.join(", ")}.`);
}
