import { resolveModel, visibleModels } from "../../catalog/index.ts";
import { type OneTimeLink, OPERATOR, SCOPES } from "../../identity/index.ts";
import { LOCK_IDS, whileAlone } from "../../jobs/index.ts";
import { assert, credits } from "../../kit/index.ts";
import type { Services } from "../services.ts";

export const DEMO_SLUG = "demo";
export const DEMO_OWNER_EMAIL = "owner@demo.example";
const DEMO_PERIOD_DAYS = 30;
const DEMO_ANYTIME_CREDITS = credits(100_000);

export type Demo = {
  /** The API key's secret and the owner's sign-in link: just created, shown only once. */
  readonly secret: string;
  readonly link: OneTimeLink | null;
  readonly totalCredits: number;
  /** The model of the example call shown to newcomers, by an alias or its own id; null if none can be called. */
  readonly fast: { readonly alias: string; readonly model: string; readonly provider: string } | null;
};

/** What a serving process found or created, for its welcome text. */
type Beginning = {
  readonly demo: Demo | null;
  /** True if there is no organization, so nobody can call anything. */
  readonly isEmpty: boolean;
  /** True if the demo exists, created now or before. */
  readonly hasDemo: boolean;
};

export async function prepareFirstStart(services: Services): Promise<Beginning> {
  const demo = services.config.demo ? await makeDemo(services) : null;
  if (demo !== null) return { demo, isEmpty: false, hasDemo: true };
  const { organizations } = services.identity;
  const hasDemo = services.config.demo && Boolean(await organizations.find(DEMO_SLUG));
  return { demo, isEmpty: (await organizations.list({ limit: 1 })).length === 0, hasDemo };
}

/**
 * Gives a newcomer something to call: the organization `demo` with an owner, credits and a key. Only on an empty
 * database; null if there is nothing to do. A start that was killed half-way is completed by the next one; if several
 * start at once, one creates it.
 */
export function makeDemo(services: Services): Promise<Demo | null> {
  // Without the lock, a demo in progress would look like one whose creator was killed, and get a second key.
  return whileAlone(services.db, LOCK_IDS.make_demo, () => makeOrComplete(services));
}

async function makeOrComplete(services: Services): Promise<Demo | null> {
  const orgId = await demoToComplete(services);
  if (orgId === null) return null;
  const { identity, billing, ledger } = services;
  await billing.startPlan(orgId, { firstPeriodDays: DEMO_PERIOD_DAYS });
  await ledger.grant({
    orgId,
    pool: "anytime",
    amount: DEMO_ANYTIME_CREDITS,
    reference: "demo",
    expiresAt: null,
    kind: "manual",
    description: "credits of the demo",
  });
  await identity.members.add({
    organizationId: orgId,
    email: DEMO_OWNER_EMAIL,
    name: "Demo Owner",
    role: "owner",
    actor: OPERATOR,
  });
  await identity.operators.add(DEMO_OWNER_EMAIL);
  const minted = await identity.keys.mint({
    organizationId: orgId,
    name: "Demo key",
    scopes: [...SCOPES],
    actor: OPERATOR,
  });
  assert(minted.outcome === "ok", `the demo's key was not minted: ${minted.outcome}`);
  const account = await ledger.account(orgId);
  return {
    secret: minted.secret,
    link: await identity.members.link({ email: DEMO_OWNER_EMAIL, purpose: "sign-in" }),
    totalCredits: account.subscriptionAvailable + account.anytimeAvailable,
    fast: await whoAnswers(services),
  };
}

async function whoAnswers({ identity, catalog, config }: Services): Promise<Demo["fast"]> {
  const organization = await identity.organizations.find(DEMO_SLUG);
  const alias = `${config.aliasPrefix}fast`;
  if (!organization) return null;
  const byAlias = resolveModel({ catalog, organization, id: alias, type: "text" });
  const model = byAlias ?? visibleModels({ catalog, organization, type: "text" })[0];
  const [target] = model?.targets ?? [];
  if (!model || !target) return null;
  return { alias: byAlias ? alias : model.id, model: model.id, provider: target.provider };
}

async function demoToComplete({ identity }: Services): Promise<string | null> {
  const found = await identity.organizations.find(DEMO_SLUG);
  if (found) {
    const isComplete = (await identity.keys.list(found.id)).length > 0;
    const isAlone = (await identity.organizations.list({ limit: 2 })).length === 1;
    return isComplete || !isAlone ? null : found.id;
  }
  if ((await identity.organizations.list({ limit: 1 })).length > 0) return null;
  const created = await identity.organizations.create({ name: "Demo", slug: DEMO_SLUG, plan: "pro" });
  return created.outcome === "ok" ? created.organization.id : null;
}
