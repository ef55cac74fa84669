import { z } from "zod";
import type { Invitation } from "../../../identity/index.ts";
import { conflict, forbidden, Refused, refused, saveAct } from "../../../operations/index.ts";
import type { Asker } from "../accounts/accounts-session.ts";
import type { ConsoleParts } from "../parts.ts";
import { checkPassword } from "./link.ts";
import { prepareFirstPassword } from "./newcomer.ts";
import type { Command, Query } from "./operation.ts";
import { problemIn, tooManyAttempts } from "./problem.ts";

/** One answer for unknown, used, cancelled, replaced and expired invitations: trying reveals nothing. */
const DEAD =
  "This invitation no longer works. It works once, for a week, and a newer one replaces it. Ask whoever invited you for a new one.";

/** Said only once everything else is right: probing would create an account for every address that has none. */
function hasAccount({ sendsMail }: { sendsMail: boolean }): Refused {
  const way = sendsMail
    ? "say that you already have an account and get a link by email"
    : "ask whoever runs this Bursar for a link";
  return forbidden(
    `This address has an account here already: sign in with it to accept. If you never created one or forgot its password, ${way}: it lets you choose a password and signs out whoever used your address.`,
  );
}

const dead = () => new Refused({ code: "not_found", message: DEAD });
/**
 * Read-only, so that a preview of the link does not use it up. Does not say whether the address has an account:
 * without mail, the inviter sees the link, too. The page offers both ways.
 */
export function invitationQuery({ identity }: ConsoleParts): Query<"invitation"> {
  return {
    who: "anyone",
    input: z.strictObject({ token: z.string().max(100) }),
    async run(_ask, { token }) {
      const invitation = await identity.invitations.find(token);
      if (!invitation) throw dead();
      return {
        organization: invitation.organizationName,
        email: invitation.email,
        role: invitation.role,
        invitedBy: invitation.inviterName,
        expiresAt: invitation.expiresAt.toISOString(),
      };
    },
  };
}

/** The role comes from the invitation; a role in the request would be refused as an unknown field. */
export function acceptInvitationCommand(parts: ConsoleParts): Command<"accept-invitation"> {
  const { accounts, acceptBrake, config, identity, log } = parts;

  /**
   * Cheap checks come first: hashing a password keeps others from signing in, so it is done only for those who will
   * get in, and a bounded number of times per invitation and network.
   */
  async function prepareNewcomer(
    asker: Asker,
    invitation: Invitation,
    given: { name: string; password: string },
  ) {
    const name = identity.people.checkName(given.name);
    if (name.outcome !== "ok") throw refused(name, "invitation", {});
    checkPassword(given.password);
    const attempt = acceptBrake.begin({ clientAddress: asker.clientAddress, target: invitation.id });
    if (attempt.outcome === "wait") {
      log.warn("console_invitation_braked", { client_address: asker.clientAddress });
      throw tooManyAttempts(attempt.retryAfterSeconds);
    }
    const { succeed } = attempt;
    try {
      if (await identity.people.hasAccount(invitation.email)) throw hasAccount(config.service);
      return { keep: await prepareFirstPassword(parts, given.password), succeed };
    } catch (error) {
      // Our own failures do not count against the person.
      const code = problemIn(error)?.code;
      if (code === undefined || code === "busy") succeed();
      throw error;
    }
  }
  return {
    who: "anyone",
    input: z.strictObject({
      token: z.string().max(100),
      name: z.string().optional(),
      password: z.string().optional(),
    }),
    async run(ask, { token, name, password }) {
      const session = await ask.session();
      const invitation = await identity.invitations.find(token);
      if (!invitation) throw dead();
      const prepared = session
        ? null
        : await prepareNewcomer(ask.asker, invitation, { name: name ?? "", password: password ?? "" });
      const as = session
        ? ({ kind: "person", userId: session.userId } as const)
        : ({ kind: "newcomer", name: name ?? "" } as const);
      const joining = accounts.together(async (client) => {
        const joined = await identity.invitations.accept({ token, as }, client);
        if (joined.outcome !== "ok") return joined;
        const opened = prepared && (await prepared.keep(ask.asker, joined.userId));
        await saveAct(
          { pool: client },
          {
            chains: [joined.organizationId],
            actor: { kind: "person", id: joined.userId, name: session?.name ?? name ?? invitation.email },
            face: "console",
            operation: "invitation.accept",
            object: { kind: "member", id: joined.userId, name: invitation.email },
            before: null,
            after: { email: invitation.email, role: invitation.role },
          },
        );
        const current = opened?.session ?? session;
        if (current) await accounts.chooseOrganization(current, joined.organizationId);
        return { ...joined, cookies: opened?.cookies ?? [] };
      });
      const accepted = await joining.catch((error: unknown) => {
        prepared?.succeed();
        throw error;
      });
      if (accepted.outcome !== "ok") {
        throw refused(accepted, "invitation", {
          dead: dead(),
          too_many_members: conflict("This organization already has the maximum number of members."),
          has_account: hasAccount(config.service),
          not_yours: forbidden(
            `This invitation is for ${invitation.email}. Sign in with that address to accept.`,
          ),
        });
      }
      prepared?.succeed();
      const { userId, organizationId, cookies } = accepted;
      log.info("console_invitation_accepted", { org_id: organizationId, user_id: userId });
      ask.setCookies(cookies);
      return {};
    },
  };
}
