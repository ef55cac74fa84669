import { z } from "zod";
import { ROLES } from "../../../identity/index.ts";
import type { MemberRow } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command, Query } from "./operation.ts";
import { conflict } from "./problem.ts";
import { refused } from "./refused.ts";

const SPEND_DAYS = 30;
const ROLE = z.enum(ROLES);
const NOT_CHANGED = {
  last_owner: conflict("An organization needs an owner: make someone else an owner first."),
  conflict: conflict("Somebody else changed this role in the meantime. Check it and try again."),
};

export function membersQuery({ identity, usage }: ConsoleParts): Query<"members"> {
  return {
    who: "admin",
    input: z.strictObject({}),
    async run({ viewer: { organization } }) {
      const [members, invitations, { by_member }] = await Promise.all([
        identity.members.list(organization.id),
        identity.invitations.list(organization.id),
        usage.usageView(organization, { days: SPEND_DAYS, limit: 1 }),
      ]);
      const spendOf = new Map(by_member.map((row) => [row.member_user_id, row]));
      return {
        members: members.map(
          ({ userId, name, email, role, createdAt }): MemberRow => ({
            userId,
            name,
            email,
            role,
            joinedAt: createdAt.toISOString(),
            credits: spendOf.get(userId)?.credits_charged ?? 0,
            requests: spendOf.get(userId)?.requests ?? 0,
          }),
        ),
        invitations: invitations.map(({ id, email, role, inviterName, expiresAt }) => ({
          id,
          email,
          role,
          invitedBy: inviterName,
          expiresAt: expiresAt.toISOString(),
        })),
      };
    },
  };
}

/** Identity checks again in the transaction of the change: of two admins at once, the second gets a conflict. */
export function changeRoleCommand({ identity, log }: ConsoleParts): Command<"change-role"> {
  return {
    who: "admin",
    input: z.strictObject({ userId: z.string(), role: ROLE, seenRole: ROLE }),
    async run({ by, signedIn, viewer: { organization } }, input) {
      const changed = await identity.members.setRole({
        ...input,
        ...by,
      });
      if (changed.outcome !== "ok") throw refused(changed, "member", NOT_CHANGED);
      const { userId: member_id, role } = input;
      log.info("console_role_changed", {
        org_id: organization.id,
        user_id: signedIn.userId,
        member_id,
        role,
      });
      return {};
    },
  };
}

/** Also for leaving, which everyone may do; identity decides who else may remove whom. */
export function removeMemberCommand({ identity, log }: ConsoleParts): Command<"remove-member"> {
  return {
    who: "member",
    input: z.strictObject({ userId: z.string() }),
    async run({ by, signedIn, viewer: { organization } }, { userId }) {
      const removed = await identity.members.remove({ ...by, userId });
      if (removed.outcome !== "ok") throw refused(removed, "member", NOT_CHANGED);
      log.info("console_member_removed", {
        org_id: organization.id,
        user_id: signedIn.userId,
        member_id: userId,
      });
      return {};
    },
  };
}
