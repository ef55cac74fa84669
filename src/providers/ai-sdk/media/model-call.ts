import { type CallContext, ProviderFailure } from "../../contract.ts";
import { failureOfError } from "../failure.ts";

/**
 * One call of the library: it ends by its result, by a ProviderFailure or by the signal's reason. `secrets` are those of
 * whoever is called.
 */
export async function callModel<Result>(
  { signal }: CallContext,
  secrets: readonly string[],
  call: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    signal.throwIfAborted();
    return await call();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failureOfError(error, secrets);
  }
}

/** What a model of the library lacks is told to the caller, instead of being left out in silence. */
export function rejected(message: string): ProviderFailure {
  return new ProviderFailure("rejected", message);
}

const REFUSED = "The model's provider refused this by its content rules.";

export function refusedByContent(): ProviderFailure {
  return rejected(REFUSED);
}
