import { ProviderFailure } from "../contract.ts";
import { UnusableFile } from "../media/unusable-file.ts";

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

/** Whoever stands at the address answered, and has no file there: asked at once again, the same would come. */
export class AbsentFile extends ProviderFailure {
  override name = "AbsentFile";
  constructor(internal: string) {
    super("unavailable", FETCH_FAILED, { internal });
  }
}

/** Statuses by which a server says that it is not the file's fault. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

export function statusFailure(status: number): ProviderFailure {
  const internal = `status ${status}`;
  return status >= 500 || PASSING.has(status) ? fetchFailure(internal) : new AbsentFile(internal);
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
