import type { OutboundFetch } from "./outbound-call.ts";
import type { PublicFetch } from "./public-fetch.ts";

/** What every provider is given to reach anybody. */
export type WaysOut = {
  /** For calls to its own address. */
  readonly outbound: OutboundFetch;
  /** For results that it hosts somewhere. Its own configured host is open to it, wherever that stands. */
  readonly fetchPublic: PublicFetch;
};
