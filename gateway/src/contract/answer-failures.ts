import { ProviderFailure, type ProviderFailureDetail } from "./provider-failure.ts";

type More = Omit<ProviderFailureDetail, "internal">;

/** Also used if the provider itself reports that it was too slow. */
export const NOT_IN_TIME = "The model's provider did not answer in time.";

/** Failures of an answer in any wire, with the same public message for all. `internal` is for the log. */
export function unreadableAnswer(internal: string, more: More = {}): ProviderFailure {
  const message = "The model's provider sent an answer that could not be read.";
  return new ProviderFailure("unavailable", message, { internal, reason: "provider_bad_reply", ...more });
}

export function brokenAnswer(internal: string, more: More = {}): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider broke off its answer.", {
    internal,
    ...more,
  });
}

export function endlessAnswer(internal: string, more: More = {}): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider sent too much.", {
    internal,
    reason: "provider_bad_reply",
    ...more,
  });
}

export function lateAnswer(internal: string, more: More = {}): ProviderFailure {
  return new ProviderFailure("timeout", NOT_IN_TIME, { internal, ...more });
}
