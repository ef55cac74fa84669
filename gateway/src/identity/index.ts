/**
 * Who is asking, and what they may do: organizations, their people, API keys, authentication.
 * Owns the tables of people, organizations and API keys, including those of the accounts library.
 * Refuses to know credits, models, plans beyond their name, HTTP beyond the text of one header, and passwords.
 *
 * Invariants:
 * - A secret is shown once. Only its SHA-256 and its last four characters are stored. Nothing logs a key.
 * - A change takes effect on every node within a second. A node trusts its cache only while a check of the version
 *   began less than 900 ms ago, whatever happens to messages, connections or the process.
 * - Unknown, revoked and expired keys cause the same single query; malformed keys cause none.
 * - A request for something of another organization is answered as if it did not exist.
 * - A person has at most one one-time link. A new password and signing out everywhere invalidate it.
 * - An invitation works once, for a week, for its address, at the offered role, if its sender may still offer that.
 * - An account whose address nobody has proved inherits no seat from the operator: its sessions and its password are
 *   ended first.
 * - An organization keeps its last owner, and is deactivated, never deleted. The database enforces both.
 */
export type { Authentication } from "./authentication/authenticator.ts";
export { ANSWER_HOLDS_MS } from "./authentication/freshness.ts";
export { createKeyGuard } from "./authentication/key-guard.ts";
export { networkOf } from "./authentication/network.ts";
export { MAX_EMAIL_CHARS } from "./email.ts";
export { createIdentity, type Identity, type IdentityNouns } from "./identity.ts";
export type { Invitation } from "./invitation-store.ts";
export { createKeyCodec } from "./keys/key-codec.ts";
export { MAX_DISCARDED_KEYS, MAX_GRACE_MS, MAX_LIVE_KEYS, type MintedKey } from "./keys/keys.ts";
export type { MintRequest } from "./keys/mint-request.ts";
export type { ApiKey } from "./keys/store.ts";
export type { OneTimeLink } from "./links/links.ts";
export type { Member } from "./members/store.ts";
export { isOneTimeToken } from "./one-time-token.ts";
export type { ManagementKey } from "./operators/management-keys.ts";
export { covers, MANAGEMENT_SCOPES, type ManagementArea } from "./operators/management-scopes.ts";
export type { OperatorPerson } from "./operators/operators.ts";
export type { Refusal } from "./organizations/in-organization.ts";
export type { OrganizationRecord } from "./organizations/store.ts";
export { EFFICIENCY_LEVELS, type EfficiencyLevel, type Organization, type Principal } from "./principal.ts";
export type { Invalid } from "./refusal.ts";
export { type Actor, OPERATOR, ROLES, type Role } from "./role.ts";
export { SCOPES, type Scope } from "./scopes.ts";
