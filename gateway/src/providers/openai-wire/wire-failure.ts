import type { ProviderFailure } from "../../contract/index.ts";
import { failureOf } from "../../outbound/index.ts";

/**
 * Whether an `error` beside an answer reports none: some servers send the empty field with every good answer. Without
 * an answer beside it, even an empty one is an error.
 */
export function saysNothing(error: unknown): boolean {
  return !error || (typeof error === "object" && Object.keys(error).length === 0);
}

/** An error inside a response that began with a 200: only the error itself can say what it means. */
export function wireFailure(error: unknown, secrets: readonly string[]): ProviderFailure {
  return failureOf({ status: 200, body: error === null ? "" : { error }, secrets });
}
