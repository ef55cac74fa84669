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
 * - An invitation works once, for a week, for its address, at the role offered by who may still offer it.
 * - An organization keeps its last owner, and is deactivated, never deleted. The database enforces both.
 */
export type { Authentication } from "./authentication/authenticator.ts";
export { createKeyGuard, type GuardVerdict, type KeyGuard } from "./authentication/key-guard.ts";
export { networkOf } from "./authentication/network.ts";
export { createIdentity, type Identity, type IdentityOptions } from "./identity.ts";
export type { AcceptedInvitation, AcceptInvitation } from "./invitations/accept-invitation.ts";
export type { Invitations, InvitedMember, InviteMember } from "./invitations/invitations.ts";
export type { Invitation } from "./invitations/store.ts";
export { createKeyCodec, type KeyCodec, type KeySecret } from "./keys/key-codec.ts";
export type { KeyReference, Keys, MintedKey } from "./keys/keys.ts";
export type { MintRequest } from "./keys/mint-request.ts";
export type { ApiKey } from "./keys/store.ts";
export type { LinkPurpose, OneTimeLink, RedeemedLink } from "./links/links.ts";
export type { AddedMember, AddMember } from "./members/add-member.ts";
export type { MemberReference, Members } from "./members/members.ts";
export type { Member, OrganizationMembership } from "./members/store.ts";
export type { Refusal } from "./organizations/in-organization.ts";
export type {
  CreateOrganization,
  Organizations,
  UpdatedOrganization,
  UpdateOrganization,
} from "./organizations/organizations.ts";
export type { OrganizationRecord } from "./organizations/store.ts";
export type { People, SignedUp, SignUp } from "./people/people.ts";
export * from "./principal.ts";
export type { Invalid } from "./refusal.ts";
export { type Actor, isRole, OPERATOR, ROLES, type Role } from "./role.ts";
export * from "./scopes.ts";
