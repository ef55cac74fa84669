import type { z } from "zod";
import { commandName } from "../config/index.ts";
import type { ORGANIZATION, OutputOf } from "../operations/index.ts";
import { misused } from "./cli-error.ts";
import { alignFields, alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import { commandFor, ORG_FLAG } from "./operation-command.ts";
import { commandText, creditsText, momentText } from "./wording.ts";

type Updated = OutputOf<"organization.update">;

export const orgCommands: readonly Command[] = [
  commandFor("organization.create", {
    path: ["org", "create"],
    org: null,
    isFirst: true,
    text: (created) =>
      `${created.name} was created.\n\n${fieldsOf(created)}${grantedText(created)}\n\nNext: ${commandName()} key create --org ${created.slug} --name "First key"`,
  }),
  commandFor("organization.list", {
    path: ["org", "list"],
    org: null,
    flags: { cursor: null, limit: null },
    pages: "organizations",
    text({ organizations }, { paint }) {
      const rows = organizations.map((one) => [
        one.slug,
        one.name,
        one.plan,
        one.active ? "active" : "inactive",
        one.id,
      ]);
      const ifNone = `There is no organization yet: ${commandText("org create --name NAME")} creates one.`;
      return alignTable(paint, ["SLUG", "NAME", "PLAN", "STATE", "ID"], rows, ifNone);
    },
  }),
  commandFor("organization.update", {
    path: ["org", "update"],
    org: ORG_FLAG,
    flags: {
      efficiency: { value: "off|safe|structural" },
      name: null,
      seenName: null,
      seenEfficiency: null,
    },
    check(flags) {
      if (!["plan", "active", "efficiency"].some(flags.has))
        throw misused("bursar org update needs --plan PLAN, --active true|false or --efficiency LEVEL.");
    },
    text: (updated) =>
      `${updated.name} was changed.\n\n${fieldsOf(updated)}${grantedText(updated)}${paidPlanText(updated)}`,
  }),
];

function fieldsOf(organization: z.output<typeof ORGANIZATION>): string {
  return alignFields([
    ["id", organization.id],
    ["slug", organization.slug],
    ["plan", organization.plan],
    ["active", organization.active ? "yes" : "no"],
    ["efficiency", organization.efficiency],
  ]);
}

function grantedText({
  grantedCredits,
  creditsExpireAt,
}: Pick<Updated, "grantedCredits" | "creditsExpireAt">) {
  if (creditsExpireAt === null) return "";
  return `\n\nIts plan brought ${creditsText(grantedCredits)}, valid until ${momentText(creditsExpireAt)}.`;
}

/** Deactivation ends a paid plan; activation does not undo that by itself. */
function paidPlanText({ active, paidPlan, paidPlanEndsAt }: Updated): string {
  if (paidPlan === null || (active && paidPlanEndsAt === null)) return "";
  const end = paidPlanEndsAt === null ? "with the month that was paid" : `on ${momentText(paidPlanEndsAt)}`;
  const stay = active ? " An owner can choose to stay with it under Billing." : "";
  return `\n\nThe ${paidPlan} plan, which is paid through Stripe, ends ${end}.${stay}`;
}

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
