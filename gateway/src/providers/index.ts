/**
 * How a model is reached: an adapter for each wire that providers speak, and every configured provider
 * by name.
 * Refuses to know credits, the database, HTTP frameworks, organizations and how a call ends.
 *
 * Invariants:
 * - A successful call yields exactly one `finish`, as its last event. Every other end is a ProviderFailure or the
 *   reason of the aborted signal.
 * - A public message contains nothing of a provider's key, host or ids.
 */

export { createProviders, createRegistry } from "./registry.ts";
export { tryProviders } from "./try-providers.ts";
export { VENDORS } from "./vendors.ts";
