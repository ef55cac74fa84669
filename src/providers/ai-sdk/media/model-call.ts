import { type CallContext, ProviderFailure } from "../../contract.ts";
import { sanitise } from "../../outbound/index.ts";
import { isContentRefusal } from "../../refusal-words.ts";
import { failureOfError } from "../failure.ts";

/** One call of the library: it ends by its result, by a ProviderFailure or by the signal's reason. */
export async function callModel<Result>(
  { signal }: CallContext,
  call: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    signal.throwIfAborted();
    return await call();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failureOfMediaError(error);
  }
}

/** What a model of the library lacks is told to the caller, instead of being left out in silence. */
export function rejected(message: string): ProviderFailure {
  return new ProviderFailure("rejected", message);
}

const REFUSED = "The model's provider refused this by its content rules.";

/** The library tells the ends of a picture in plain words; those about the content are the caller's to mend. */
function failureOfMediaError(error: unknown): ProviderFailure {
  const failure = failureOfError(error);
  if (failure.kind !== "unavailable" || !(error instanceof Error) || error.cause !== undefined)
    return failure;
  if (isContentRefusal(error.message)) return rejected(REFUSED);
  const told = /generation (?:failed|canceled): ([\s\S]+)$/.exec(error.message.slice(0, 4_000))?.[1];
  if (told === undefined) return failure;
  return new ProviderFailure("unavailable", sanitise(told) || failure.publicMessage, {
    internal: "it gave the work up",
    targetHealth: "up",
  });
}

export function refusedByContent(): ProviderFailure {
  return rejected(REFUSED);
}
