import { alignFields, alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import { commandFor, ORG_FLAG } from "./operation-command.ts";
import { momentText } from "./wording.ts";

const ACCOUNT_WORDS = {
  made: "",
  kept: "\nThe address already has an account, which stays as it is; the link is there in case it is needed.",
  reset:
    "\nThe address already has an account, but nobody had proved that they own it: its password and sessions no longer work, and only the link opens it.",
} as const;

export const memberCommands: readonly Command[] = [
  commandFor("member.add", {
    org: ORG_FLAG,
    text: (added, { organization }) =>
      `${added.email} is now ${added.role} of ${organization.name}.${ACCOUNT_WORDS[added.account]}\n\n${alignFields(
        [["id", added.id], ...linkFields(added)],
      )}`,
  }),
  commandFor("member.link", {
    org: null,
    text: (link) => `A one-time link for ${link.email}:\n\n${alignFields(linkFields(link))}`,
  }),
  commandFor("member.list", {
    org: ORG_FLAG,
    text({ members }, { organization, paint }) {
      const rows = members.map((member) => [member.email, member.name, member.role, member.id]);
      return alignTable(
        paint,
        ["EMAIL", "NAME", "ROLE", "ID"],
        rows,
        `${organization.name} has no members yet.`,
      );
    },
  }),
];

function linkFields({ link, linkExpiresAt }: { link: string | null; linkExpiresAt: string | null }) {
  if (link === null || linkExpiresAt === null) return [];
  return [["link", link] as const, ["expires", momentText(linkExpiresAt)] as const];
}
