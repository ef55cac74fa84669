import type { ProviderFailure } from "../contract.ts";
import { failureOf } from "../outbound/index.ts";

/** An error inside an answer that began with a 200: the error itself says what it is, if anything does. */
export function wireFailure(error: unknown, secrets: readonly string[]): ProviderFailure {
  return failureOf({ status: 200, body: error === null ? "" : { error }, secrets });
}
