/**
 * Who asks, and what they may do: organizations, their people, API keys, authentication.
 * Owns the tables of migration 0001, the accounts library's among them. Refuses to know credits, models,
 * plans beyond their name, HTTP beyond the text of one header, and passwords.
 *
 * Invariants:
 * - A secret is shown once. Only SHA-256 and the last four characters are stored; nothing logs a key.
 * - A change takes effect on every node within a second: memory is believed only while a check of the
 *   version began less than 900 ms ago, whatever becomes of messages, connections or the process.
 * - Unknown, revoked and expired keys ask the database the same one question; malformed ones ask nothing.
 * - What belongs to another organization answers like what does not exist.
 * - A person has one one-time link at most; a new password and signing out everywhere end it.
 * - An invitation works once, for a week, for its address, at the role offered by who may still offer it.
 * - An account whose address nobody proved inherits no seat from the operator: what it was made with ends first.
 * - An organization keeps its last owner, and is deactivated, never deleted. The database enforces both.
 */
export type { Authentication } from "./authentication/authenticator.ts";
export { ANSWER_HOLDS_MS } from "./authentication/freshness.ts";
export { createKeyGuard } from "./authentication/key-guard.ts";
export { networkOf } from "./authentication/network.ts";
export { createIdentity, type Identity } from "./identity.ts";
export type { Invitation } from "./invitations/store.ts";
export { createKeyCodec } from "./keys/key-codec.ts";
export { MAX_DISCARDED_KEYS, MAX_GRACE_MS, MAX_LIVE_KEYS, type MintedKey } from "./keys/keys.ts";
export type { MintRequest } from "./keys/mint-request.ts";
export type { ApiKey } from "./keys/store.ts";
export type { OneTimeLink } from "./links/links.ts";
export { MAX_EMAIL_CHARS } from "./members/email.ts";
export type { Member } from "./members/store.ts";
export { isOneTimeToken } from "./one-time-token.ts";
export type { Refusal } from "./organizations/in-organization.ts";
export type { OrganizationRecord } from "./organizations/store.ts";
export { EFFICIENCY_LEVELS, type EfficiencyLevel, type Organization, type Principal } from "./principal.ts";
export type { Invalid } from "./refusal.ts";
export { type Actor, OPERATOR, ROLES, type Role } from "./role.ts";
export { SCOPES, type Scope } from "./scopes.ts";
