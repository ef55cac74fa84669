import type { Database } from "../../db/index.ts";
import { assert, DAY_MS, parseUuid } from "../../kit/index.ts";
import { parseEmail } from "../email.ts";
import {
  deleteInvitation,
  type Invitation,
  loadInvitation,
  loadInvitations,
  MAX_OPEN,
  saveInvitation,
} from "../invitation-store.ts";
import { judgeMemberChange } from "../members/member-rules.ts";
import { isMemberByEmail } from "../members/store.ts";
import { newOneTimeToken } from "../one-time-token.ts";
import { inOrganization, type Refusal } from "../organizations/in-organization.ts";
import type { Queryable } from "../organizations/store.ts";
import { type Invalid, refuse } from "../refusal.ts";
import { type Actor, isRole, mayAdminister, ROLES } from "../role.ts";
import { type AcceptedInvitation, type AcceptInvitation, acceptInvitation } from "./accept-invitation.ts";
import { invitationIdOf } from "./invitation-token.ts";

type InviteMember = {
  organizationId: string;
  email: string;
  role: string;
  /** Whose invitation it is: the actor, or whoever made the actor's key. */
  inviterId: string;
  /** The inviter by default. */
  actor?: Actor;
  /** True if the link is sent to the address and to nobody else. */
  isMailed?: boolean;
};

type InvitedMember =
  | { readonly outcome: "ok"; readonly invitation: Invitation; readonly token: string }
  | Refusal
  | { readonly outcome: "already_member" | "too_many_invitations" }
  | Invalid;

type Cancelled = { readonly outcome: "ok"; readonly invitation: Invitation } | Refusal;

/** A seat in an organization for the owner of an address: valid for a week, once, for the role that was offered. */
export type Invitations = {
  /** The result does not reveal whether the address has an account. A newer invitation replaces the older one. */
  create(input: InviteMember): Promise<InvitedMember>;
  /** Open invitations, newest first. */
  list(organizationId: string): Promise<Invitation[]>;
  cancel(input: { organizationId: string; invitationId: string; actor: Actor }): Promise<Cancelled>;
  /** Null if it is not open: unknown, used, cancelled, replaced or expired. */
  find(token: string): Promise<Invitation | null>;
  /** Runs in `client`'s transaction if one is given. */
  accept(input: AcceptInvitation, client?: Queryable): Promise<AcceptedInvitation>;
};

const LIFETIME_MS = 7 * DAY_MS;

export function createInvitations({ db }: { db: Database }): Invitations {
  return {
    async create({ organizationId, email: emailText, role, inviterId, isMailed = false, ...by }) {
      if (!isRole(role)) return refuse("role", ROLES.join(", "));
      const parsed = parseEmail(emailText);
      if (parsed.outcome === "invalid") return parsed;
      const { email } = parsed;
      const { actor = { kind: "person", userId: inviterId } } = by;
      return inOrganization<InvitedMember>({ db, organizationId, actor }, async (client, standing) => {
        const verdict = judgeMemberChange({ standing, change: { kind: "add", role }, otherOwners: 0 });
        if (verdict !== "ok") return { outcome: "forbidden" };
        if (await isMemberByEmail(client, organizationId, email)) return { outcome: "already_member" };
        const open = await loadInvitations(client, organizationId);
        if (open.length >= MAX_OPEN) return { outcome: "too_many_invitations" };
        const replaced = open.find((one) => one.email === email);
        // Otherwise an admin could withdraw an owner's offer by making a lesser one.
        if (replaced?.role === "owner" && standing !== "owner") return { outcome: "forbidden" };
        const token = newOneTimeToken();
        const id = invitationIdOf(token);
        assert(id !== undefined, "a token of ours");
        const place = { id, organizationId, email, role, isMailed, inviterId };
        await saveInvitation(client, { ...place, lifetimeMs: LIFETIME_MS });
        const invitation = await loadInvitation(client, id);
        return invitation ? { outcome: "ok", invitation, token } : { outcome: "not_found" };
      });
    },
    async list(organizationId) {
      const id = parseUuid(organizationId);
      return id === undefined ? [] : loadInvitations(db.pool, id);
    },
    async cancel({ organizationId, invitationId, actor }) {
      const id = parseUuid(invitationId);
      if (id === undefined) return { outcome: "not_found" };
      return inOrganization<Cancelled>({ db, organizationId, actor }, async (client, standing) => {
        if (!mayAdminister(standing)) return { outcome: "forbidden" };
        const invitation = await loadInvitation(client, id);
        if (invitation?.organizationId !== organizationId) return { outcome: "not_found" };
        if (invitation.role === "owner" && standing === "admin") return { outcome: "forbidden" };
        await deleteInvitation(client, { organizationId, id });
        return { outcome: "ok", invitation };
      });
    },
    async find(token) {
      const id = invitationIdOf(token);
      return id === undefined ? null : ((await loadInvitation(db.pool, id)) ?? null);
    },
    accept: (input, client) => acceptInvitation(db, input, client),
  };
}
