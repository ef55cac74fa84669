import type { ProviderFailure } from "../contract.ts";
import { failureOf } from "../outbound/index.ts";

/**
 * Whether an `error` beside an answer tells of none: some servers write the field of their type into every good answer.
 * Where no answer is beside it, an empty one is an error all the same.
 */
export function saysNothing(error: unknown): boolean {
  return !error || (typeof error === "object" && Object.keys(error).length === 0);
}

/** An error inside an answer that began with a 200: the error itself says what it is, if anything does. */
export function wireFailure(error: unknown, secrets: readonly string[]): ProviderFailure {
  return failureOf({ status: 200, body: error === null ? "" : { error }, secrets });
}
