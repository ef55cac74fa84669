import { ProviderFailure, type ProviderFailureDetail } from "./contract.ts";

type More = Omit<ProviderFailureDetail, "internal">;

/** Also said of a provider that says itself that it was too slow. */
export const NOT_IN_TIME = "The model's provider did not answer in time.";

/** What can befall an answer of any wire, in the same words for all of them; `internal` is for the log. */
export function unreadableAnswer(internal: string, more: More = {}): ProviderFailure {
  const message = "The model's provider sent an answer that could not be read.";
  return new ProviderFailure("unavailable", message, { internal, ...more });
}

export function brokenAnswer(internal: string, more: More = {}): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider broke off its answer.", {
    internal,
    ...more,
  });
}

export function endlessAnswer(internal: string, more: More = {}): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider sent too much.", { internal, ...more });
}

export function lateAnswer(internal: string): ProviderFailure {
  return new ProviderFailure("timeout", NOT_IN_TIME, { internal });
}
