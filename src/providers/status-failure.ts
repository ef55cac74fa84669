import type { ProviderFailureKind } from "./contract.ts";

/**
 * What a provider's HTTP status means to us. 401, 402, 403 and 404 are about our account or our settings,
 * so the caller is not told that the request is at fault; every 5xx, 504 included, is a broken provider,
 * since only our own clock decides that a call timed out.
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
