import { ProviderFailure, UnusableFile } from "../../contract/index.ts";

/** One message for every failure: it must not reveal whether a port was open or what answered there. */
export const FETCH_FAILED = "The file could not be fetched.";

/**
 * We refuse to connect to this address, whoever supplied it. A ProviderFailure, since a bad address in a provider's
 * answer is the provider's failure; code that fetches for a client reports it with its own message.
 */
export class UnsafeAddress extends ProviderFailure {
  override name = "UnsafeAddress";
  constructor(internal: string) {
    super("unavailable", FETCH_FAILED, { internal });
  }
}

/** A server answered, but has no file there: asking again at once would bring the same. */
export class AbsentFile extends ProviderFailure {
  override name = "AbsentFile";
  constructor(internal: string) {
    super("unavailable", FETCH_FAILED, { internal });
  }
}

/** Statuses below 500 that may pass and say nothing about the file. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

export function statusFailure(status: number): ProviderFailure {
  const internal = `status ${status}`;
  return status >= 500 || PASSING.has(status) ? fetchFailure(internal) : new AbsentFile(internal);
}

/** The address may be right, but the file could not be fetched. */
export function fetchFailure(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", FETCH_FAILED, { internal });
}

export function slowFetchFailure(internal: string): ProviderFailure {
  return new ProviderFailure("timeout", FETCH_FAILED, { internal });
}

export function oversizeFile(maxBytes: number): UnusableFile {
  return new UnusableFile(FETCH_FAILED, `over ${maxBytes} bytes`);
}
