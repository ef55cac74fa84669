import { z } from "zod";
import { planOf } from "../../../catalog/index.ts";
import { EFFICIENCY_LEVELS, type OrganizationRecord } from "../../../identity/index.ts";
import { atMost } from "../../../kit/index.ts";
import type { SettingsView } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command, Query } from "./operation.ts";
import { type ConsoleProblem, conflict, invalidInput } from "./problem.ts";
import { refused } from "./refused.ts";

const LEVEL = z.enum(EFFICIENCY_LEVELS);

export function settingsQuery(parts: ConsoleParts): Query<"settings"> {
  return {
    who: "admin",
    input: z.strictObject({}),
    run: ({ viewer: { organization } }) => viewOf(parts, organization),
  };
}

export function updateSettingsCommand(parts: ConsoleParts): Command<"update-settings"> {
  return {
    who: "admin",
    input: z.strictObject({
      name: z.string().optional(),
      efficiency: LEVEL.optional(),
      seenName: z.string().optional(),
      seenEfficiency: LEVEL.optional(),
    }),
    async run({ by, signedIn, viewer: { organization } }, { seenName, seenEfficiency, ...wanted }) {
      const changed = await parts.identity.organizations.changeSettings({
        ...wanted,
        ...by,
        seen: { name: seenName, efficiency: seenEfficiency },
      });
      if (changed.outcome === "conflict") throw otherwise(changed.organization, seenName);
      if (changed.outcome !== "ok") throw refused(changed, "organization", {});
      parts.log.info("console_settings_changed", { org_id: organization.id, user_id: signedIn.userId });
      return viewOf(parts, changed.organization);
    },
  };
}

/** Tells the slower of two people the current value. */
function otherwise(current: OrganizationRecord, seenName: string | undefined): ConsoleProblem {
  const isName = seenName !== undefined && seenName !== current.name;
  const now = isName ? `the name is “${current.name}” now` : `efficiency is “${current.efficiency}” now`;
  return conflict(`Somebody else changed this in the meantime: ${now}. Save again to keep yours.`);
}

/** Long enough for a healthy Stripe. */
const STRIPE_WAIT_MS = 3_000;

/** From here on no call starts and no month is paid; only the operator can reactivate an organization. */
export function deactivateCommand(parts: ConsoleParts): Command<"deactivate"> {
  const { identity, payments, log, stripeWaitMs = STRIPE_WAIT_MS } = parts;
  return {
    who: "owner",
    input: z.strictObject({ confirm: z.string() }),
    async run({ by, signedIn, viewer: { organization } }, { confirm }) {
      if (confirm !== organization.slug)
        throw invalidInput("confirm", `Type ${organization.slug} to confirm.`);
      const updated = await identity.organizations.update({
        ...by,
        active: false,
      });
      if (updated.outcome !== "ok") throw refused(updated, "organization", {});
      log.info("console_organization_deactivated", { org_id: organization.id, user_id: signedIn.userId });
      // If Stripe is down or slow, the schedule keeps trying.
      const ending = payments.endInactive(organization.id).catch((error: unknown) => {
        log.warn("console_subscription_ends_later", { org_id: organization.id, error: String(error) });
      });
      await atMost(ending, stripeWaitMs);
      return {};
    },
  };
}

async function viewOf(
  { usage, catalog }: ConsoleParts,
  organization: OrganizationRecord,
): Promise<SettingsView> {
  const { callsInFlight, jobsInFlight } = await usage.standing(organization.id);
  const { requestsPerMinute, inFlight, videoJobs } = planOf(catalog.plans, organization.plan);
  return {
    name: organization.name,
    slug: organization.slug,
    plan: organization.plan,
    efficiency: organization.efficiency,
    isActive: organization.active,
    createdAt: organization.createdAt.toISOString(),
    limits: {
      requestsPerMinute,
      inFlight,
      videoJobs,
      inFlightNow: callsInFlight,
      videoJobsNow: jobsInFlight,
    },
  };
}
