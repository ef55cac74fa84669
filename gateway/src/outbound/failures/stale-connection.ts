/**
 * A pooled connection that the provider has already closed fails within one round trip. A request that fails later may
 * have been worked on and billed, so it is not repeated.
 */
export const STALE_CONNECTION_MS = 100;
