import { APIError } from "openai";
import type { Refusal } from "./client.ts";

/** For the official client and for libraries built on it, some of which wrap its error in their own. */
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
