import { APIError } from "openai";
import type { Refusal } from "./client.ts";

/** Of the official client, and of what stands on it: some wrap its error in one of their own. */
export function openaiRefusal(thrown: unknown): Refusal {
  const error = thrown instanceof Error && thrown.cause instanceof APIError ? thrown.cause : thrown;
  if (!(error instanceof APIError)) throw error;
  const { checkout_url: checkoutUrl } = (error.error ?? {}) as { checkout_url?: string };
  return {
    status: error.status ?? null,
    code: error.code ?? null,
    param: error.param ?? null,
    checkoutUrl: checkoutUrl ?? null,
  };
}
