import { type Member, type OneTimeLink, OPERATOR, ROLES } from "../identity/index.ts";
import { failed, refusedValue } from "./cli-error.ts";
import { withServices } from "./cli-host.ts";
import { alignFields, alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import type { FlagSpec } from "./flag.ts";
import { parseChoice } from "./flag-values.ts";
import { findOrganization, type OperatorServices, ORG_FLAG } from "./operator-services.ts";
import { commandText, momentText } from "./wording.ts";

const EMAIL_FLAG: FlagSpec = { name: "email", value: "EMAIL", about: "the person's address", required: true };

const ACCOUNT_WORDS = {
  made: "",
  kept: "\nThe address already has an account, which stays as it is; the link is there in case it is needed.",
  reset:
    "\nThe address already has an account, but nobody had proved that they own it: its password and sessions no longer work, and only the link opens it.",
} as const;

const addCommand: Command = {
  path: ["member", "add"],
  about: "Add a person to an organization, with a one-time link to set a password.",
  notes:
    "An account that was made for the address by an invitation or a sign-up without mail loses its password and its sessions: only the link opens it.",
  flags: [
    ORG_FLAG,
    EMAIL_FLAG,
    { name: "role", value: "ROLE", about: ROLES.join(", "), required: true },
    { name: "name", value: "NAME", about: "the person's name (default: the part before the @)" },
  ],
  run: ({ flags, host }) => {
    const role = parseChoice("--role", flags.required("role"), ROLES);
    return withServices(host, async (services) => {
      const organization = await findOrganization(services, flags.required("org"));
      const added = await services.members.add({
        organizationId: organization.id,
        email: flags.required("email"),
        role,
        name: flags.text("name"),
        actor: OPERATOR,
      });
      switch (added.outcome) {
        case "invalid":
          throw refusedValue(added);
        case "already_member":
          throw failed(
            `${flags.required("email")} already belongs to ${organization.name}: roles are changed in the console, under Members.`,
          );
        case "too_many_members":
          throw failed(`${organization.name} has reached its limit of members.`);
        case "not_found":
        case "forbidden":
          throw failed("The organization no longer exists.");
        case "ok":
          return {
            json: {
              ...memberJson(added.member),
              org_id: organization.id,
              account: added.account,
              ...linkJson(services, added.link),
            },
            text: `${added.member.email} is now ${added.member.role} of ${organization.name}.${ACCOUNT_WORDS[added.account]}\n\n${alignFields(
              [["id", added.member.userId], ...linkFields(services, added.link)],
            )}`,
          };
      }
    });
  },
};

const linkCommand: Command = {
  path: ["member", "link"],
  about: "Print a new one-time link to set a password.",
  notes: "Earlier links stop working.",
  flags: [EMAIL_FLAG],
  run: ({ flags, host }) =>
    withServices(host, async (services) => {
      const email = flags.required("email");
      const link = await services.members.link({ email });
      if (!link) throw failed(`Nobody has the address ${email}: ${commandText("member add")} adds a person.`);
      return {
        json: { id: link.userId, email: link.email, ...linkJson(services, link) },
        text: `A one-time link for ${link.email}:\n\n${alignFields(linkFields(services, link))}`,
      };
    }),
};

const listCommand: Command = {
  path: ["member", "list"],
  about: "List an organization's people.",
  notes: "The id is what X-Member-User-Id takes.",
  flags: [ORG_FLAG],
  run: ({ flags, host, paint }) =>
    withServices(host, async (services) => {
      const organization = await findOrganization(services, flags.required("org"));
      const members = await services.members.list(organization.id);
      const heading = ["EMAIL", "NAME", "ROLE", "ID"];
      const rows = members.map((member) => [member.email, member.name, member.role, member.userId]);
      return {
        json: { members: members.map(memberJson), count: members.length },
        text: alignTable(paint, heading, rows, `${organization.name} has no members yet.`),
      };
    }),
};

export const memberCommands: readonly Command[] = [addCommand, linkCommand, listCommand];

function memberJson(member: Member): Record<string, unknown> {
  return {
    id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}

function linkJson(services: OperatorServices, link: OneTimeLink | null): Record<string, unknown> {
  return {
    link: link ? services.linkUrl(link) : null,
    link_expires_at: link?.expiresAt.toISOString() ?? null,
  };
}

function linkFields(services: OperatorServices, link: OneTimeLink | null): [string, string][] {
  if (!link) return [];
  return [
    ["link", services.linkUrl(link)],
    ["expires", momentText(link.expiresAt)],
  ];
}
