import { failureKindOf, ProviderFailure, reasonOfUnauthorized } from "../../gateway/src/contract/index.ts";

const ERROR_DIRECTIVE = "sandbox directive error=";

/** Failures requested by a directive are marked, so that no circuit breaker counts them. */
export function scriptedError(status: number): ProviderFailure {
  const kind = failureKindOf(status);
  return new ProviderFailure(kind, `The sandbox answered with status ${status}, as its directive asked.`, {
    internal: `${ERROR_DIRECTIVE}${status}`,
    ...(kind === "unauthorized" ? { reason: reasonOfUnauthorized(status) } : {}),
    ...(kind === "rate_limited" ? { retryAfterSeconds: 1 } : {}),
  });
}

export function scriptedCut(words: number): ProviderFailure {
  return new ProviderFailure("unavailable", "The sandbox broke off, as its directive asked.", {
    internal: `sandbox directive cut=after:${words}`,
  });
}

export function scriptedFailure(): ProviderFailure {
  return new ProviderFailure("unavailable", "The sandbox failed, as its directive asked.", {
    internal: "sandbox directive fail",
  });
}

/** The status that an `error` directive asked for; null for every other failure. */
export function scriptedStatusOf({ detail: { internal = "" } }: ProviderFailure): number | null {
  return internal.startsWith(ERROR_DIRECTIVE) ? Number(internal.slice(ERROR_DIRECTIVE.length)) : null;
}
