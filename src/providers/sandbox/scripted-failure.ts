import { ProviderFailure } from "../contract.ts";
import { failureKindOf } from "../status-failure.ts";

/** What a directive asks for is marked, so that no circuit breaker counts it against the sandbox. */
export function scriptedError(status: number): ProviderFailure {
  const kind = failureKindOf(status);
  return new ProviderFailure(kind, `The sandbox answered with status ${status}, as its directive asked.`, {
    internal: `sandbox directive error=${status}`,
    scripted: true,
    ...(kind === "rate_limited" ? { retryAfterSeconds: 1 } : {}),
  });
}

export function scriptedCut(words: number): ProviderFailure {
  return new ProviderFailure("unavailable", "The sandbox broke off, as its directive asked.", {
    internal: `sandbox directive cut=after:${words}`,
    scripted: true,
  });
}

export function scriptedFailure(): ProviderFailure {
  return new ProviderFailure("unavailable", "The sandbox failed, as its directive asked.", {
    internal: "sandbox directive fail",
    scripted: true,
  });
}
