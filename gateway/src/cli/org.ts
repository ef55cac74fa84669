import { DEFAULT_PLAN } from "../catalog/index.ts";
import { commandName } from "../config/index.ts";
import { EFFICIENCY_LEVELS, OPERATOR, type OrganizationRecord } from "../identity/index.ts";
import { failed, misused, refusedValue } from "./cli-error.ts";
import { withNewServices, withServices } from "./cli-host.ts";
import { alignFields, alignTable } from "./columns.ts";
import type { Command } from "./command.ts";
import { parseChoice } from "./flag-values.ts";
import { findOrganization, type OperatorServices, ORG_FLAG } from "./operator-services.ts";
import {
  grantedJson,
  grantedText,
  organizationJson,
  organizationText,
  paidPlanJson,
  paidPlanText,
} from "./organization-fields.ts";
import { commandText, countText } from "./wording.ts";

/** Most pages of a listing: a million organizations. */
const MAX_PAGES = 1_000;

const createCommand: Command = {
  path: ["org", "create"],
  about: "Add an organization.",
  notes: "The plan's monthly credits are available at once.",
  flags: [
    { name: "name", value: "NAME", about: "its name", required: true },
    { name: "plan", value: "PLAN", about: `a plan of the catalog (default: ${DEFAULT_PLAN})` },
  ],
  run: ({ flags, host }) =>
    withNewServices(host, async (services) => {
      const plan = checkPlan(services, flags.text("plan") ?? DEFAULT_PLAN);
      const created = await services.organizations.create({ name: flags.required("name"), plan });
      if (created.outcome === "invalid") throw refusedValue(created);
      if (created.outcome === "slug_taken") throw failed("That name is taken: choose another one.");
      const { organization } = created;
      const granted = await services.billing.startPlan(organization.id);
      const next = `${commandName()} key create --org ${organization.slug} --name "First key"`;
      return {
        json: { ...organizationJson(organization), ...grantedJson(granted) },
        text: `${organization.name} was created.\n\n${alignFields(organizationText(organization))}${grantedText(granted)}\n\nNext: ${next}`,
      };
    }),
};

const listCommand: Command = {
  path: ["org", "list"],
  about: "List all organizations.",
  flags: [],
  run: ({ host, paint }) =>
    withServices(host, async (services) => {
      const organizations = await listAll(services);
      const rows = organizations.map((one) => [
        one.slug,
        one.name,
        one.plan,
        one.active ? "active" : "inactive",
        one.id,
      ]);
      const heading = ["SLUG", "NAME", "PLAN", "STATE", "ID"];
      return {
        json: { organizations: organizations.map(organizationJson), count: organizations.length },
        text: alignTable(
          paint,
          heading,
          rows,
          `There is no organization yet: ${commandText("org create --name NAME")} creates one.`,
        ),
      };
    }),
};

const updateCommand: Command = {
  path: ["org", "update"],
  about: "Change an organization's plan or compaction, or make it inactive or active again.",
  notes:
    "Calls in progress finish; an inactive organization starts no new ones and pays for no further month.",
  flags: [
    ORG_FLAG,
    { name: "plan", value: "PLAN", about: "a plan of the catalog; its period begins now" },
    { name: "active", value: "true|false", about: "whether it may be used" },
    {
      name: "efficiency",
      value: EFFICIENCY_LEVELS.join("|"),
      about: "how its chat input is compacted unless a call says otherwise",
    },
  ],
  run: ({ flags, host }) => {
    const activeText = flags.text("active");
    const active =
      activeText === undefined
        ? undefined
        : parseChoice("--active", activeText, ["true", "false"]) === "true";
    const planText = flags.text("plan");
    const levelText = flags.text("efficiency");
    const efficiency =
      levelText === undefined ? undefined : parseChoice("--efficiency", levelText, EFFICIENCY_LEVELS);
    if (planText === undefined && active === undefined && efficiency === undefined) {
      throw misused("bursar org update needs --plan PLAN, --active true|false or --efficiency LEVEL.");
    }
    return withServices(host, async (services) => {
      const { id: organizationId } = await findOrganization(services, flags.required("org"));
      const plan = planText === undefined ? undefined : checkPlan(services, planText);
      const updated = await services.organizations.update({
        organizationId,
        plan,
        active,
        efficiency,
        actor: OPERATOR,
      });
      if (updated.outcome === "invalid") throw refusedValue(updated);
      if (updated.outcome !== "ok") throw failed("The organization no longer exists.");
      const { organization } = updated;
      const granted = await services.billing.startPlan(organizationId);
      const paid = await services.billing.paidSubscription(organizationId);
      return {
        json: { ...organizationJson(organization), ...grantedJson(granted), ...paidPlanJson(paid) },
        text: `${organization.name} was changed.\n\n${alignFields(organizationText(organization))}${grantedText(granted)}${paidPlanText(organization, paid)}`,
      };
    });
  },
};

export const orgCommands: readonly Command[] = [createCommand, listCommand, updateCommand];

function checkPlan(services: OperatorServices, plan: string): string {
  const { plans } = services.catalog;
  if (plans.has(plan)) return plan;
  throw misused(`--plan takes one of ${[...plans.keys()].join(", ")}, not ${JSON.stringify(plan)}.`);
}

async function listAll(services: OperatorServices): Promise<OrganizationRecord[]> {
  const all: OrganizationRecord[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const next = await services.organizations.list({ afterSlug: all.at(-1)?.slug });
    if (next.length === 0) return all;
    all.push(...next);
  }
  throw failed(`There are more than ${countText(all.length, "organization")}: too many for one list.`);
}
