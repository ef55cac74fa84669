import { z } from "zod";
import { MAX_EMAIL_CHARS, ROLES } from "../identity/index.ts";
import { nameInEmail } from "../kit/index.ts";
import { type ActIn, defineOperation, serving } from "./operation.ts";
import { busy, conflict, forbidden, invalidInput, mailBusy, refused } from "./problem.ts";

const NOT_INVITED = {
  already_member: invalidInput("email", "They are already a member."),
  too_many_invitations: conflict("Two hundred invitations are open. Cancel some that nobody will use."),
};

/** An invitation is a person's: whoever minted the key, for a key. */
function inviterOf({ by }: ActIn) {
  if (by.kind === "person") return { id: by.id, name: by.name, email: by.email };
  const id = by.kind === "key" ? by.mintedBy : null;
  if (id === null) throw forbidden("Only a person can invite, or a management key that a person made.");
  return { id, name: by.name, email: "" };
}

/** Returns a function that takes the attempt back. */
function brake(act: ActIn, email: string): () => void {
  const { by, organization } = act;
  const clientAddress = by.kind === "operator" ? "" : by.clientAddress;
  const asked = { clientAddress, organizationId: organization.id, email: email.trim().toLowerCase() };
  const attempt = serving(act).brakeInvitation(asked);
  if (attempt.outcome === "go") return attempt.takeBack;
  throw busy("Too many invitations in a short time. Try again later.", attempt.retryAfterSeconds);
}

const createInvitation = defineOperation({
  name: "invitation.create",
  area: "members",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["POST /organizations/{org}/invitations"],
  input: z.strictObject({ email: z.string().max(MAX_EMAIL_CHARS), role: z.enum(ROLES) }),
  output: z
    .object({
      id: z.string(),
      link: z
        .string()
        .nullable()
        .describe("to be passed on, shown once; null if it was mailed, to nobody else"),
    })
    .meta({ id: "CreatedInvitation" }),
  words: {
    about: "Invite a person by email.",
    notes:
      "If mail is configured, the link is mailed and shown to nobody: the answer does not say whether the address has an account.",
  },
  async run(act, { email, role }) {
    const { mail } = serving(act);
    const { organization, services, actor } = act;
    const inviter = inviterOf(act);
    const takeBack = brake(act, email);
    const notMailed = () => {
      takeBack();
      return mailBusy();
    };
    // Before the earlier invitation is replaced: its link would be dead, and nobody would have received the new one.
    if (mail && !mail.hasRoom()) throw notMailed();
    const invited = await services.identity.invitations.create({
      organizationId: organization.id,
      email,
      role,
      inviterId: inviter.id,
      actor,
      isMailed: mail !== null,
    });
    if (invited.outcome !== "ok") throw refused(invited, "organization", NOT_INVITED);
    const { id, email: to } = invited.invitation;
    const link = `${services.publicUrl}/console/invitation/${invited.token}`;
    return {
      output: { id, link: mail ? null : link },
      changed: { object: { kind: "invitation", id, name: to }, before: null, after: { email: to, role } },
      async afterwards() {
        if (!mail) return;
        const [person, place] = [nameInEmail(inviter.name), nameInEmail(organization.name)];
        const from = inviter.email === "" ? person : `${person} (${inviter.email})`;
        const message = {
          to,
          subject: `${person} invites you to ${place}`,
          text: `${from} invites you to join ${place} on Bursar.\n\nThis link works once, for a week:\n${link}\n`,
        };
        await mail.send(message).catch(() => Promise.reject(notMailed()));
      },
    };
  },
});

const cancelInvitation = defineOperation({
  name: "invitation.cancel",
  area: "members",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["DELETE /organizations/{org}/invitations/{id}"],
  input: z.strictObject({ id: z.string().describe("the invitation's id") }),
  output: z.object({ id: z.string() }).meta({ id: "CancelledInvitation" }),
  words: { about: "Cancel an open invitation." },
  async run({ services, organization, actor }, { id }) {
    const cancelled = await services.identity.invitations.cancel({
      organizationId: organization.id,
      invitationId: id,
      actor,
    });
    if (cancelled.outcome !== "ok") throw refused(cancelled, "invitation", {});
    const { email, role } = cancelled.invitation;
    return {
      output: { id },
      changed: { object: { kind: "invitation", id, name: email }, before: { email, role }, after: null },
    };
  },
});

export const INVITATION_OPERATIONS = [createInvitation, cancelInvitation] as const;
