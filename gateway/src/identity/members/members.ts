import type { Database } from "../../db/index.ts";
import { parseUuid } from "../../kit/index.ts";
import { parseEmail } from "../email.ts";
import { deleteInvitationsBy, deleteInvitationTo } from "../invitation-store.ts";
import type { LinkPurpose, Links, OneTimeLink } from "../links/links.ts";
import { inOrganization, type Refusal } from "../organizations/in-organization.ts";
import type { Queryable } from "../organizations/store.ts";
import { type Invalid, refuse } from "../refusal.ts";
import { type Actor, isRole, ROLES, type Role, type Standing } from "../role.ts";
import { type AddedMember, type AddMember, addMember, MAX_MEMBERS } from "./add-member.ts";
import { judgeMemberChange, type MemberChange } from "./member-rules.ts";
import {
  countOtherOwners,
  deleteMember,
  loadMember,
  loadMembers,
  loadMembershipsOf,
  loadUserByEmail,
  type Member,
  type OrganizationMembership,
  saveRole,
} from "./store.ts";

type MemberReference = { organizationId: string; userId: string; actor: Actor };

type Changed =
  | { readonly outcome: "ok"; readonly member: Member }
  | Refusal
  | { readonly outcome: "last_owner" | "conflict" };

/** `email` as stored in the account, however it was typed. */
type MemberLink = OneTimeLink & { readonly email: string };

export type Members = {
  /** Includes a link if the account is new, and always for the operator. */
  add(input: AddMember): Promise<AddedMember>;
  /** For the operator: a new link; older ones stop working. Null if nobody has that address. */
  link(input: { email: string; purpose?: LinkPurpose }): Promise<MemberLink | null>;
  /** Longest-standing first, at most MAX_MEMBERS. */
  list(organizationId: string): Promise<Member[]>;
  /** Undefined if the person does not belong to the organization. */
  roleOf(organizationId: string, userId: string): Promise<Role | undefined>;
  /** The organizations that a person belongs to, with their roles. */
  membershipsOf(userId: string): Promise<OrganizationMembership[]>;
  /** `seenRole` is the role that the caller saw; `conflict` if it has changed since. */
  setRole(input: MemberReference & { role: string; seenRole?: string }): Promise<Changed | Invalid>;
  /** Returns the removed member. */
  remove(input: MemberReference): Promise<Changed>;
};

const MAX_ORGANIZATIONS_OF_ONE = 1_000;

export function createMembers({ db, links }: { db: Database; links: Links }): Members {
  return {
    add: (input) => addMember({ db, links }, input),
    async link({ email, purpose = "set-password" }) {
      const parsed = parseEmail(email);
      if (parsed.outcome === "invalid") return null;
      return db.transaction(async (client) => {
        const user = await loadUserByEmail(client, parsed.email);
        if (!user) return null;
        return { ...(await links.create(client, { userId: user.id, purpose })), email: parsed.email };
      });
    },
    async list(organizationId) {
      const id = parseUuid(organizationId);
      return id === undefined ? [] : loadMembers(db.pool, id, MAX_MEMBERS);
    },
    async roleOf(organizationId, userIdText) {
      const userId = parseUuid(userIdText);
      return userId === undefined ? undefined : (await loadMember(db.pool, organizationId, userId))?.role;
    },
    async membershipsOf(userIdText) {
      const userId = parseUuid(userIdText);
      return userId === undefined ? [] : loadMembershipsOf(db.pool, userId, MAX_ORGANIZATIONS_OF_ONE);
    },
    async setRole(input) {
      const { organizationId, role, seenRole } = input;
      if (!isRole(role)) return refuse("role", ROLES.join(", "));
      return changeMember(db, input, {
        isSeen: (target) => seenRole === undefined || target.role === seenRole,
        plan: (target) => ({ kind: "set_role", from: target.role, to: role }),
        async save(client, target) {
          await saveRole(client, { organizationId, userId: target.userId, role });
          return { ...target, role };
        },
      });
    },
    async remove(input) {
      const { organizationId, actor } = input;
      const self = actor.kind === "person" ? parseUuid(actor.userId) : undefined;
      return changeMember(db, input, {
        plan: (target) => ({ kind: "remove", from: target.role, isSelf: target.userId === self }),
        async save(client, target) {
          await deleteMember(client, organizationId, target.userId);
          await deleteInvitationTo(client, { organizationId, email: target.email });
          return target;
        },
      });
    },
  };
}

/**
 * Loads the target, checks the rules, and saves only what is allowed. Also deletes invitations that the target may no
 * longer make.
 */
async function changeMember(
  db: Database,
  { organizationId, userId: userIdText, actor }: MemberReference,
  change: {
    /** False if the target has changed since the caller saw it. */
    isSeen?(target: Member): boolean;
    plan(target: Member): MemberChange;
    save(client: Queryable, target: Member): Promise<Member>;
  },
): Promise<Changed> {
  const userId = parseUuid(userIdText);
  if (userId === undefined) return { outcome: "not_found" };
  return inOrganization<Changed>({ db, organizationId, actor }, async (client, standing) => {
    const target = await loadMember(client, organizationId, userId);
    if (!target) return { outcome: "not_found" };
    if (change.isSeen?.(target) === false) return { outcome: "conflict" };
    const otherOwners = await countOtherOwners(client, organizationId, userId);
    const planned = change.plan(target);
    const verdict = judgeMemberChange({ standing, change: planned, otherOwners });
    if (verdict !== "ok") return { outcome: verdict };
    const member = await change.save(client, target);
    const newStanding = planned.kind === "set_role" ? planned.to : "stranger";
    await deleteInvitationsBy(client, { organizationId, userId }, rolesBeyond(newStanding));
    return { outcome: "ok", member };
  });
}

/** Roles to which somebody with this standing may not invite. */
function rolesBeyond(standing: Standing): Role[] {
  return ROLES.filter(
    (role) => judgeMemberChange({ standing, change: { kind: "add", role }, otherOwners: 0 }) !== "ok",
  );
}
