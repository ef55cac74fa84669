/**
 * A connection from the pool that the provider had closed meanwhile dies within one round trip. A request
 * that was worked on and then dropped takes longer, and is not repeated: it may have been billed.
 */
export const STALE_CONNECTION_MS = 100;
