import type { FailureReason } from "../kit/index.ts";
import type { ProviderFailureKind } from "./provider-failure.ts";

/**
 * The meaning of a provider's HTTP status. 401, 402, 403 and 404 concern our account or settings, so the caller is not
 * told that the request is at fault. Every 5xx, 504 included, is a broken provider, since only our own clock decides
 * that a call timed out.
 */
export function failureKindOf(status: number): ProviderFailureKind {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return "rejected";
    case 401:
    case 402:
    case 403:
    case 404:
      return "unauthorized";
    case 408:
      return "timeout";
    case 429:
      return "rate_limited";
    default:
      return "unavailable";
  }
}

/** Whose matter an `unauthorized` is: a 402 is about our credit there, a 404 about a name of a model or an address. */
export function reasonOfUnauthorized(status: number): FailureReason {
  if (status === 402) return "provider_limit";
  return status === 404 ? "provider_error" : "provider_refused_our_key";
}
