import { z } from "zod";
import { DEFAULT_PLAN, planOf } from "../catalog/index.ts";
import { EFFICIENCY_LEVELS, type OrganizationRecord } from "../identity/index.ts";
import { atMost } from "../kit/index.ts";
import { type Act, type ActIn, type Change, defineOperation, serving } from "./operation.ts";
import { conflict, invalidInput, notTaken, type Refused, refused } from "./problem.ts";
import { billingOf } from "./services.ts";

/** Long enough for a healthy Stripe. */
const STRIPE_WAIT_MS = 3_000;
const PAGE = 1_000;
const LEVEL = z.enum(EFFICIENCY_LEVELS);

export const ORGANIZATION = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    plan: z.string(),
    active: z.boolean(),
    efficiency: LEVEL,
    createdAt: z.string(),
  })
  .meta({ id: "Organization" });
const GRANTED = {
  grantedCredits: z.int().describe("that its plan brought now"),
  creditsExpireAt: z.string().nullable(),
};
const SETTINGS = ORGANIZATION.extend({
  limits: z.object({
    requestsPerMinute: z.int(),
    inFlight: z.int(),
    videoJobs: z.int(),
    inFlightNow: z.int(),
    videoJobsNow: z.int(),
  }),
}).meta({ id: "OrganizationSettings" });

function viewOf(organization: OrganizationRecord): z.input<typeof ORGANIZATION> {
  const { id, slug, name, plan, active, efficiency, createdAt } = organization;
  return { id, slug, name, plan, active, efficiency, createdAt: createdAt.toISOString() };
}

async function settingsOf(
  { services: { usage, catalog } }: Act,
  organization: OrganizationRecord,
): Promise<z.input<typeof SETTINGS>> {
  const { callsInFlight, jobsInFlight } = await usage.standing(organization.id);
  const { requestsPerMinute, inFlight, videoJobs } = planOf(catalog.plans, organization.plan);
  const now = { inFlightNow: callsInFlight, videoJobsNow: jobsInFlight };
  return { ...viewOf(organization), limits: { requestsPerMinute, inFlight, videoJobs, ...now } };
}

/** Of the fields that may change, those that did. */
function changeOf(before: OrganizationRecord | null, after: OrganizationRecord): Change | null {
  const facts = ({ name, plan, active, efficiency }: OrganizationRecord) => ({
    name,
    plan,
    active,
    efficiency,
  });
  const object = { kind: "organization", id: after.id, name: after.name };
  if (before === null) return { object, before: null, after: { ...facts(after), slug: after.slug } };
  const changed = Object.entries(facts(after)).filter(([name, value]) => before[name as "name"] !== value);
  if (changed.length === 0) return null;
  const was = Object.fromEntries(changed.map(([name]) => [name, before[name as "name"]]));
  return { object, before: was, after: Object.fromEntries(changed) };
}

function checkPlan({ services: { catalog } }: Act, plan: string): void {
  if (!catalog.plans.has(plan)) throw notTaken("plan", `one of ${[...catalog.plans.keys()].join(", ")}`);
}

async function startPlan(act: Act, organizationId: string) {
  const period = await billingOf(act.services).startPlan(organizationId);
  return {
    grantedCredits: period?.credits ?? 0,
    creditsExpireAt: period?.expiresAt.toISOString() ?? null,
  };
}

const createOrganization = defineOperation({
  name: "organization.create",
  area: "organization",
  access: "write",
  place: "installation",
  who: "operator",
  rest: ["POST /organizations"],
  input: z.strictObject({
    name: z.string().describe("its name"),
    plan: z.string().optional().describe(`a plan of the catalog (default: ${DEFAULT_PLAN})`),
  }),
  output: ORGANIZATION.extend(GRANTED).meta({ id: "CreatedOrganization" }),
  words: { about: "Add an organization.", notes: "The plan's monthly credits are available at once." },
  async run(act, { name, plan = DEFAULT_PLAN }) {
    checkPlan(act, plan);
    const created = await act.services.identity.organizations.create({ name, plan });
    if (created.outcome !== "ok")
      throw refused(created, "organization", {
        slug_taken: conflict("That name is taken: choose another one."),
      });
    const { organization } = created;
    const granted = await startPlan(act, organization.id);
    return { output: { ...viewOf(organization), ...granted }, changed: changeOf(null, organization) };
  },
});

const listOrganizations = defineOperation({
  name: "organization.list",
  area: "organization",
  access: "read",
  place: "installation",
  who: "operator",
  rest: ["GET /organizations"],
  input: z.strictObject({
    cursor: z.string().max(100).optional().describe("`next_cursor` of the previous page"),
    limit: z.int().min(1).max(PAGE).optional(),
  }),
  output: z
    .object({ organizations: z.array(ORGANIZATION), count: z.int(), nextCursor: z.string().nullable() })
    .meta({ id: "Organizations" }),
  words: { about: "List all organizations." },
  async run({ services }, { cursor = "", limit = PAGE }) {
    const found = await services.identity.organizations.list({ afterSlug: cursor, limit });
    const nextCursor = found.length === limit ? (found.at(-1)?.slug ?? null) : null;
    return { organizations: found.map(viewOf), count: found.length, nextCursor };
  },
});

const getOrganization = defineOperation({
  name: "organization.get",
  area: "organization",
  access: "read",
  place: "organization",
  who: "admin",
  rest: ["GET /organizations/{org}"],
  input: z.strictObject({}),
  output: SETTINGS,
  words: { about: "Show an organization's settings and limits." },
  run: (act) => settingsOf(act, act.organization),
});

/** Tells the slower of two people the current value. */
function otherwise(current: OrganizationRecord, seenName: string | undefined): Refused {
  const isName = seenName !== undefined && seenName !== current.name;
  const now = isName ? `the name is “${current.name}” now` : `efficiency is “${current.efficiency}” now`;
  return conflict(`Somebody else changed this in the meantime: ${now}. Save again to keep yours.`);
}

type Settings = { name?: string | undefined; efficiency?: string | undefined };
type Asked = Settings & {
  plan?: string | undefined;
  active?: boolean | undefined;
  seen: Settings;
};

async function changed(
  act: ActIn,
  { name, efficiency, plan, active, seen }: Asked,
): Promise<OrganizationRecord> {
  const { organizations } = act.services.identity;
  const by = { organizationId: act.organization.id, actor: act.actor };
  let latest = act.organization;
  if (name !== undefined || efficiency !== undefined) {
    const set = await organizations.changeSettings({ ...by, name, efficiency, seen });
    if (set.outcome === "conflict") throw otherwise(set.organization, seen.name);
    if (set.outcome !== "ok") throw refused(set, "organization", {});
    latest = set.organization;
  }
  if (plan !== undefined || active !== undefined) {
    if (plan !== undefined) checkPlan(act, plan);
    const wanted = { ...(plan === undefined ? {} : { plan }), ...(active === undefined ? {} : { active }) };
    const updated = await organizations.update({ ...by, ...wanted });
    if (updated.outcome !== "ok") throw refused(updated, "organization", {});
    latest = updated.organization;
  }
  return latest;
}

const updateOrganization = defineOperation({
  name: "organization.update",
  area: "organization",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["PATCH /organizations/{org}"],
  input: z.strictObject({
    plan: z.string().optional().describe("a plan of the catalog; its period begins now"),
    active: z.boolean().optional().describe("whether it may be used"),
    efficiency: LEVEL.optional().describe("how its chat input is compacted unless a call says otherwise"),
    name: z.string().optional().describe("its name"),
    seenName: z
      .string()
      .optional()
      .describe("the name that the caller saw: if it has changed since, a conflict"),
    seenEfficiency: LEVEL.optional().describe("the same for efficiency"),
  }),
  output: SETTINGS.extend({
    ...GRANTED,
    paidPlan: z.string().nullable(),
    paidPlanEndsAt: z.string().nullable(),
  }).meta({ id: "UpdatedOrganization" }),
  words: {
    about: "Change an organization's plan or compaction, or make it inactive or active again.",
    notes:
      "Calls in progress finish; an inactive organization starts no new ones and pays for no further month.",
  },
  async run(act, { seenName, seenEfficiency, ...wanted }) {
    const latest = await changed(act, { ...wanted, seen: { name: seenName, efficiency: seenEfficiency } });
    const isPlanned = wanted.plan !== undefined || wanted.active === true;
    const granted = isPlanned
      ? await startPlan(act, latest.id)
      : { grantedCredits: 0, creditsExpireAt: null };
    const paid = await billingOf(act.services).paidSubscription(latest.id);
    const output = {
      ...(await settingsOf(act, latest)),
      ...granted,
      paidPlan: paid?.plan ?? null,
      paidPlanEndsAt: paid?.endsAt?.toISOString() ?? null,
    };
    return { output, changed: changeOf(act.organization, latest) };
  },
});

const deactivateOrganization = defineOperation({
  name: "organization.deactivate",
  area: "organization",
  access: "write",
  place: "organization",
  who: "owner",
  rest: ["POST /organizations/{org}/deactivate"],
  input: z.strictObject({ confirm: z.string().describe("the organization's slug, once more") }),
  output: ORGANIZATION,
  words: {
    about: "Deactivate an organization.",
    notes: "No call starts and no month is paid from here on; only an operator can reactivate it.",
  },
  async run(act, { confirm }) {
    const { slug, id } = act.organization;
    if (confirm !== slug) throw invalidInput("confirm", `Type ${slug} to confirm.`);
    const latest = await changed(act, { active: false, seen: {} });
    return {
      output: viewOf(latest),
      changed: changeOf(act.organization, latest),
      async afterwards() {
        const { payments, stripeWaitMs = STRIPE_WAIT_MS } = serving(act);
        // If Stripe is down or slow, the schedule keeps trying.
        const ending = payments.endInactive(id).catch((error: unknown) => {
          act.services.log.warn("console_subscription_ends_later", { org_id: id, error: String(error) });
        });
        await atMost(ending, stripeWaitMs);
      },
    };
  },
});

export const ORGANIZATION_OPERATIONS = [
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  deactivateOrganization,
] as const;
