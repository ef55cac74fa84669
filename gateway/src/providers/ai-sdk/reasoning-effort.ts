import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ChatRequest } from "../../contract/index.ts";
import { unsupported } from "../foreign-options.ts";

export type ReasoningEffort = Exclude<
  LanguageModelV4CallOptions["reasoning"],
  undefined | "provider-default"
>;

const EFFORTS: readonly ReasoningEffort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Null if the caller leaves it to the model. */
export function readEffort(request: ChatRequest): ReasoningEffort | null {
  const { reasoningEffort: text } = request;
  if (text === undefined) return null;
  const effort = EFFORTS.find((candidate) => candidate === text);
  if (effort) return effort;
  throw unsupported(fieldOf(request), `must be one of ${EFFORTS.join(", ")}`);
}

/** The field that the caller used: chat completions have two for it, Responses one. */
function fieldOf({ wire }: ChatRequest): string {
  const isShort = wire?.kind === "chat_completions" && wire.body["reasoning_effort"] != null;
  return isShort ? "reasoning_effort" : "reasoning.effort";
}
