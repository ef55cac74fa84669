import { type CallContext, ProviderFailure } from "../../../contract/index.ts";
import { failureOfError } from "../failure.ts";

/**
 * One call of the library. Ends with its result, a ProviderFailure or the signal's reason. `secrets` are those of the
 * provider that is called.
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

/** Tells the caller what the library's model does not support, instead of dropping it silently. */
export function rejected(message: string): ProviderFailure {
  return new ProviderFailure("rejected", message);
}

const REFUSED = "The model's provider refused this by its content rules.";

export function refusedByContent(): ProviderFailure {
  return rejected(REFUSED);
}
