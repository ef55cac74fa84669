import type { OutboundFetch } from "./outbound-call.ts";
import type { PublicFetch } from "./public/public-fetch.ts";

/** What every provider is given to make HTTP calls. */
export type WaysOut = {
  /** For calls to its own API. */
  readonly outbound: OutboundFetch;
  /** For results that it hosts anywhere. Its own configured host is allowed, even on a private network. */
  readonly fetchPublic: PublicFetch;
};
