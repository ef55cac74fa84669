import { ProviderFailure } from "../contract.ts";
import { UnusableFile } from "../unusable-file.ts";

/** One text for everything that can go wrong: whether a port was open, or who answered there, is nobody's business. */
export const FETCH_FAILED = "The file could not be fetched.";

/**
 * The address is none that we go to, whoever gave it. It is a ProviderFailure, since an address inside a
 * provider's answer is that provider's failure; who fetches for a client says so in words of its own.
 */
export class UnsafeAddress extends ProviderFailure {
  override name = "UnsafeAddress";
  constructor(internal: string) {
    super("unavailable", FETCH_FAILED, { internal });
  }
}

/** The address may be right, but the file did not come. */
export function fetchFailure(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", FETCH_FAILED, { internal });
}

export function slowFetchFailure(internal: string): ProviderFailure {
  return new ProviderFailure("timeout", FETCH_FAILED, { internal });
}

export function oversizeFile(maxBytes: number): UnusableFile {
  return new UnusableFile(FETCH_FAILED, `over ${maxBytes} bytes`);
}
