import { z } from "zod";
import { MAX_EMAIL_CHARS, type Member, type OneTimeLink, ROLES } from "../identity/index.ts";
import { type Act, type Change, defineOperation } from "./operation.ts";
import { conflict, Refused, refused } from "./problem.ts";

const SPEND_DAYS = 30;
const ROLE = z.enum(ROLES);
const EMAIL = z.string().max(MAX_EMAIL_CHARS).describe("the person's address");
const USER = z.string().describe("the person's id");

const MEMBER = z
  .object({
    id: z.string().describe("the value for X-Member-User-Id"),
    email: z.string(),
    name: z.string(),
    role: ROLE,
    createdAt: z.string().describe("when they joined"),
    credits: z.int().describe("spent in the last 30 days"),
    requests: z.int().describe("in the last 30 days"),
  })
  .meta({ id: "Member" });
const INVITATION = z
  .object({
    id: z.string(),
    email: z.string(),
    role: ROLE,
    invitedBy: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: "Invitation" });
const LINK = {
  link: z.string().nullable().describe("opens the account once; shown once"),
  linkExpiresAt: z.string().nullable(),
};

function viewOf(
  { userId, email, name, role, createdAt }: Member,
  spend?: { readonly credits_charged: number; readonly requests: number },
): z.input<typeof MEMBER> {
  const spent = { credits: spend?.credits_charged ?? 0, requests: spend?.requests ?? 0 };
  return { id: userId, email, name, role, createdAt: createdAt.toISOString(), ...spent };
}

function linkOf({ services }: Act, link: OneTimeLink | null) {
  return {
    link: link ? `${services.publicUrl}/console/link/${link.token}` : null,
    linkExpiresAt: link?.expiresAt.toISOString() ?? null,
  };
}

function changeOf({ userId, name, email }: Member, facts: Pick<Change, "before" | "after">): Change {
  return { object: { kind: "member", id: userId, name: `${name} (${email})` }, ...facts };
}

const NOT_CHANGED = {
  last_owner: conflict("An organization needs an owner: make someone else an owner first."),
  conflict: conflict("Somebody else changed this role in the meantime. Check it and try again."),
};

const listMembers = defineOperation({
  name: "member.list",
  area: "members",
  access: "read",
  place: "organization",
  who: "admin",
  rest: ["GET /organizations/{org}/members"],
  input: z.strictObject({}),
  output: z
    .object({ members: z.array(MEMBER), count: z.int(), invitations: z.array(INVITATION) })
    .meta({ id: "Members" }),
  words: { about: "List an organization's people.", notes: "The id is what X-Member-User-Id takes." },
  async run({ services: { identity, usage }, organization }) {
    const [members, invitations, { by_member }] = await Promise.all([
      identity.members.list(organization.id),
      identity.invitations.list(organization.id),
      usage.usageView(organization, { days: SPEND_DAYS, limit: 1 }),
    ]);
    const spendOf = new Map(by_member.map((row) => [row.member_user_id, row]));
    return {
      members: members.map((member) => viewOf(member, spendOf.get(member.userId))),
      count: members.length,
      invitations: invitations.map(({ id, email, role, inviterName, expiresAt }) => ({
        id,
        email,
        role,
        invitedBy: inviterName,
        expiresAt: expiresAt.toISOString(),
      })),
    };
  },
});

const addMember = defineOperation({
  name: "member.add",
  area: "members",
  access: "write",
  place: "organization",
  who: "operator",
  rest: ["POST /organizations/{org}/members"],
  input: z.strictObject({
    email: EMAIL,
    role: ROLE.describe(ROLES.join(", ")),
    name: z.string().optional().describe("the person's name (default: the part before the @)"),
  }),
  output: MEMBER.extend({ orgId: z.string(), account: z.enum(["made", "kept", "reset"]), ...LINK }).meta({
    id: "AddedMember",
  }),
  words: {
    about: "Add a person to an organization, with a one-time link to set a password.",
    notes:
      "An account that was made for the address by an invitation or a sign-up without mail loses its password and its sessions: only the link opens it.",
  },
  async run(act, { email, role, name }) {
    const { id: organizationId, name: place } = act.organization;
    const added = await act.services.identity.members.add({
      organizationId,
      email,
      role,
      ...(name === undefined ? {} : { name }),
      actor: act.actor,
    });
    if (added.outcome !== "ok")
      throw refused(added, "organization", {
        already_member: conflict(
          `${email} already belongs to ${place}: roles are changed in the console, under Members.`,
        ),
        too_many_members: conflict(`${place} has reached its limit of members.`),
      });
    const { member, account, link } = added;
    return {
      output: { ...viewOf(member), orgId: organizationId, account, ...linkOf(act, link) },
      changed: changeOf(member, { before: null, after: { email: member.email, role } }),
    };
  },
});

const linkMember = defineOperation({
  name: "member.link",
  area: "system",
  access: "write",
  place: "installation",
  who: "operator",
  rest: ["POST /people/link"],
  input: z.strictObject({ email: EMAIL }),
  output: z.object({ id: z.string(), email: z.string(), ...LINK }).meta({ id: "PersonLink" }),
  words: { about: "Print a new one-time link to set a password.", notes: "Earlier links stop working." },
  async run(act, { email }) {
    const link = await act.services.identity.members.link({ email });
    if (!link)
      throw new Refused({ code: "not_found", message: `Nobody has the address ${email}.`, what: "person" });
    const object = { kind: "person", id: link.userId, name: link.email };
    return {
      output: { id: link.userId, email: link.email, ...linkOf(act, link) },
      changed: { object, before: null, after: { expiresAt: link.expiresAt.toISOString() } },
    };
  },
});

/** Identity checks again in the transaction of the change: of two admins at once, the second gets a conflict. */
const setRole = defineOperation({
  name: "member.set-role",
  area: "members",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["PATCH /organizations/{org}/members/{id}"],
  input: z.strictObject({
    id: USER,
    role: ROLE,
    seenRole: ROLE.optional().describe("the role that the caller saw: if it has changed since, a conflict"),
  }),
  output: MEMBER,
  words: { about: "Change a member's role." },
  async run(act, { id, role, seenRole }) {
    const { members } = act.services.identity;
    const organizationId = act.organization.id;
    const before = await members.roleOf(organizationId, id);
    const seen = seenRole === undefined ? {} : { seenRole };
    const set = await members.setRole({ organizationId, userId: id, role, ...seen, actor: act.actor });
    if (set.outcome !== "ok") throw refused(set, "member", NOT_CHANGED);
    const facts = { before: { role: before ?? null }, after: { role } };
    return { output: viewOf(set.member), changed: before === role ? null : changeOf(set.member, facts) };
  },
});

/** Also for leaving, which everyone may do; identity decides who else may remove whom. */
const removeMember = defineOperation({
  name: "member.remove",
  area: "members",
  access: "write",
  place: "organization",
  who: "member",
  rest: ["DELETE /organizations/{org}/members/{id}"],
  input: z.strictObject({ id: USER }),
  output: MEMBER,
  words: { about: "Remove a member; their account stays." },
  async run(act, { id }) {
    const organizationId = act.organization.id;
    const removed = await act.services.identity.members.remove({
      organizationId,
      userId: id,
      actor: act.actor,
    });
    if (removed.outcome !== "ok") throw refused(removed, "member", NOT_CHANGED);
    const { email, role } = removed.member;
    return {
      output: viewOf(removed.member),
      changed: changeOf(removed.member, { before: { email, role }, after: null }),
    };
  },
});

export const MEMBER_OPERATIONS = [listMembers, addMember, linkMember, setRole, removeMember] as const;
