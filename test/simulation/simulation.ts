import type { AdmissionCall } from "../../gateway/src/admission/index.ts";
import { createTestDatabase, type TestDatabase } from "../../gateway/src/db/testing.ts";
import { creditDelta, credits, newId, present } from "../../gateway/src/kit/index.ts";
import { createLedger, type Ledger, verifyLedger } from "../../gateway/src/ledger/index.ts";
import { createOrganization } from "../ledger-script.ts";
import { admissionOf, releaseOf, settlementOf } from "../paid-items.ts";
import { payForPack } from "../paid-pack.ts";
import { createRandom, type Random } from "./random.ts";
import { ReferenceLedger } from "./reference-ledger.ts";
import { type SimulatedNodes, startNodes } from "./simulated-nodes.ts";

const DAY_MS = 86_400_000;
const ROUNDS_PER_DAY = 4;
const NODES = 3;

type Organization = {
  readonly seed: number;
  readonly orgId: string;
  readonly random: Random;
  readonly reference: ReferenceLedger;
  /** Calls held in the database, with the node that owns them. */
  readonly open: Map<string, { call: AdmissionCall; node: number }>;
  /** Calls whose node died: the sweeper ends them, unless the dead node's late settlement comes first. */
  readonly orphans: Map<string, AdmissionCall>;
  /** Packs that may still be refunded. */
  readonly paid: { id: string; amount: number }[];
};

type SimulationResult = { readonly steps: number; readonly calls: number; readonly crashes: number };

/**
 * Organizations, one per seed, live through simulated days on one database with three processes. After every round, the
 * SQL is compared with the reference. Throws with the seed that diverged.
 */
export async function simulate(input: {
  firstSeed: number;
  seeds: number;
  days: number;
}): Promise<SimulationResult> {
  const database = await createTestDatabase();
  try {
    await database.freezeClock(new Date("2031-01-01T00:00:00Z"));
    const world = createRandom(input.firstSeed ^ 0x5eed);
    const nodes = await startNodes(database, NODES, world);
    const ledger = createLedger(database.db);
    const organizations = await foundOrganizations(database, input.firstSeed, input.seeds);
    const result = { steps: 0, calls: 0, crashes: 0 };
    for (let round = 0; round < input.days * ROUNDS_PER_DAY; round++) {
      const now = await databaseNow(database);
      result.steps += organizations.length;
      await receiveCredits({ database, ledger }, organizations, now);
      await takeBack(database, organizations);
      await correct(ledger, organizations, now);
      result.calls += await startCalls(nodes, organizations, now);
      await endCalls(nodes, organizations, now);
      if (world.chance(0.2)) result.crashes += await crash(nodes, organizations, world);
      await letTimePass(database, nodes, organizations, world);
      await compare(database, organizations);
    }
    await finish(database, nodes, organizations);
    return result;
  } finally {
    await database.drop();
  }
}

async function foundOrganizations(
  database: TestDatabase,
  firstSeed: number,
  seeds: number,
): Promise<Organization[]> {
  const organizations: Organization[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const orgId = newId();
    await createOrganization(database, orgId);
    organizations.push({
      seed,
      orgId,
      random: createRandom(seed),
      reference: new ReferenceLedger(),
      open: new Map(),
      orphans: new Map(),
      paid: [],
    });
  }
  return organizations;
}

async function databaseNow(database: TestDatabase): Promise<number> {
  const result = await database.db.pool.query<{ now: Date }>("select bursar_now() as now");
  return present(result.rows[0], "the time").now.getTime();
}

async function receiveCredits(
  { database, ledger }: { database: TestDatabase; ledger: Ledger },
  organizations: Organization[],
  now: number,
): Promise<void> {
  for (const { orgId, random, reference, paid } of organizations) {
    if (random.chance(0.1)) {
      const amount = random.between(1, 500);
      const grant = {
        orgId,
        pool: "anytime",
        amount: credits(amount),
        expiresAt: null,
        kind: "pack",
      } as const;
      const orderId = newId();
      const reference_ = `order:${orderId}`;
      await ledger.grant({ ...grant, reference: reference_, description: "pack" });
      // A payment that is reported twice is granted once.
      if (random.chance(0.3)) await ledger.grant({ ...grant, reference: reference_, description: "pack" });
      await payForPack(database.db, { orgId, orderId, credits: amount, cents: amount });
      reference.grantAnytime(amount);
      paid.push({ id: orderId, amount });
    }
    if (random.chance(reference.periodEndsAt === null ? 0.4 : 0.05)) {
      const amount = random.between(1, 300);
      const endsAt = now + random.between(1, 10) * DAY_MS + random.between(0, DAY_MS);
      const renewal = { orgId, amount: credits(amount), startsAt: new Date(now), endsAt: new Date(endsAt) };
      const { outcome } = await ledger.renew({ ...renewal, reference: null, description: "plan" });
      if (outcome !== "renewed") throw new Error(`a renewal was ${outcome}`);
      reference.renew(now, amount, endsAt);
    }
  }
}

/** Refunds a pack partly or in full, whatever calls hold its credits. */
async function takeBack({ db }: TestDatabase, organizations: Organization[]): Promise<void> {
  for (const { random, reference, paid } of organizations) {
    if (!random.chance(0.04)) continue;
    const pack = paid.pop();
    if (pack === undefined) continue;
    const back = random.chance(0.5) ? pack.amount : random.between(1, pack.amount);
    await db.pool.query("insert into payment_reversals values ($1, $1, 'refund', $2)", [pack.id, back]);
    await db.pool.query("select reverse_payment($1)", [pack.id]);
    reference.takeBack(back);
  }
}

/** Manual corrections, up or down, some of them repeated as if the answer had been lost. */
async function correct(ledger: Ledger, organizations: Organization[], now: number): Promise<void> {
  for (const { seed, orgId, random, reference } of organizations) {
    if (!random.chance(0.05)) continue;
    const pool = random.pick(["subscription", "anytime"] as const);
    const amount = random.between(1, 200) * random.pick([1, -1]);
    const correction = { id: newId(), orgId, pool, amount: creditDelta(amount), description: "by hand" };
    let answer = await ledger.adjust(correction);
    if (random.chance(0.3)) answer = await ledger.adjust(correction);
    const expected = reference.adjust(now, pool, amount);
    const paid = answer.outcome === "adjusted" ? Number(answer.debtPaid) : null;
    if (paid === expected) continue;
    throw new Error(`seed ${seed}: a correction by ${amount} paid ${paid}, the reference says ${expected}`);
  }
}

async function startCalls(
  nodes: SimulatedNodes,
  organizations: Organization[],
  now: number,
): Promise<number> {
  let admitted = 0;
  for (let node = 0; node < nodes.count; node++) {
    const wanted: { organization: Organization; call: AdmissionCall }[] = [];
    for (const organization of organizations) {
      for (let n = organization.random.between(0, 2); n > 0; n--) {
        wanted.push({ organization, call: randomCall(organization) });
      }
    }
    const answers =
      wanted.length > 0
        ? await nodes.admit(
            node,
            wanted.map(({ call }) => call),
          )
        : [];
    for (const [index, { organization, call }] of wanted.entries()) {
      const answer = present(answers[index], "an answer");
      const expected = organization.reference.admit(now, call.requestId, call.minimum, call.full);
      const granted = answer.outcome === "admitted" ? answer.granted : null;
      if (granted !== expected) {
        throw new Error(`seed ${organization.seed}: admitted ${granted}, the reference says ${expected}`);
      }
      if (granted === null) continue;
      admitted++;
      organization.open.set(call.requestId, { call, node });
    }
  }
  return admitted;
}

function randomCall({ orgId, random }: Organization): AdmissionCall {
  const minimum = random.between(0, 60);
  const full = random.chance(0.5) ? minimum : minimum + random.between(0, 200);
  return admissionOf(orgId, minimum, { full: credits(full), holdTtlMs: 365 * DAY_MS });
}

async function endCalls(nodes: SimulatedNodes, organizations: Organization[], now: number): Promise<void> {
  const ending: { organization: Organization; call: AdmissionCall; cost: number; zombie: boolean }[] = [];
  for (const organization of organizations) {
    for (const { call } of organization.open.values()) {
      if (!organization.random.chance(0.6)) continue;
      ending.push({ organization, call, cost: randomCost(organization, call), zombie: false });
      organization.open.delete(call.requestId);
    }
    for (const call of organization.orphans.values()) {
      if (!organization.random.chance(0.3)) continue;
      ending.push({ organization, call, cost: randomCost(organization, call), zombie: true });
      organization.orphans.delete(call.requestId);
    }
  }
  if (ending.length === 0) return;
  const answers = await nodes.settle(
    ending.map(({ call, cost }) => (cost === 0 ? releaseOf(call) : settlementOf(call, credits(cost)))),
  );
  for (const [index, { organization, call, cost, zombie }] of ending.entries()) {
    const answer = present(answers[index], "an answer");
    const swept = organization.reference.ended.get(call.requestId)?.by === "sweeper";
    const expected = organization.reference.settle(now, call.requestId, cost, "call");
    const right =
      answer.outcome === (swept ? "late" : "settled") &&
      answer.chargedSubscription === expected.subscription &&
      answer.chargedAnytime === expected.anytime &&
      answer.writtenOff === expected.writtenOff;
    if (!right) {
      throw new Error(
        `seed ${organization.seed}: settling ${cost} (zombie: ${zombie}) gave ${JSON.stringify(answer)}, the reference says ${JSON.stringify(expected)}`,
      );
    }
  }
}

function randomCost({ random, reference }: Organization, call: AdmissionCall): number {
  const hold = reference.holds.get(call.requestId);
  const held = hold ? hold.subscription + hold.anytime : 10;
  if (random.chance(0.2)) return 0;
  return random.chance(0.1) ? held + random.between(1, 3 * held + 5) : random.between(0, held);
}

async function crash(nodes: SimulatedNodes, organizations: Organization[], world: Random): Promise<number> {
  const node = world.between(0, nodes.count - 1);
  await nodes.crash(node);
  for (const organization of organizations) {
    for (const [id, open] of organization.open) {
      if (open.node !== node) continue;
      organization.open.delete(id);
      organization.orphans.set(id, open.call);
    }
  }
  return 1;
}

async function letTimePass(
  database: TestDatabase,
  nodes: SimulatedNodes,
  organizations: Organization[],
  world: Random,
): Promise<void> {
  const before = await databaseNow(database);
  const jump = world.chance(0.5)
    ? world.between(0, 30_000)
    : Math.round((DAY_MS / ROUNDS_PER_DAY) * 2 - 20_000);
  await nodes.pass(jump);
  await reconcileSweep(database, organizations, before);
}

/** The sweeper chooses its moment itself, so what it ended is read back and applied to the reference too. */
async function reconcileSweep(
  database: TestDatabase,
  organizations: Organization[],
  since: number,
): Promise<void> {
  const swept = await database.db.pool.query<{ org_id: string; request_id: string; settled_at: Date }>(
    "select org_id, request_id, settled_at from requests where ended_by = 'sweeper' and settled_at >= $1 order by settled_at",
    [new Date(since - 1000)],
  );
  const byId = new Map(organizations.map((organization) => [organization.orgId, organization]));
  for (const row of swept.rows) {
    const organization = present(byId.get(row.org_id), "the organization of a swept call");
    if (organization.reference.ended.has(row.request_id)) continue;
    if (organization.open.has(row.request_id)) {
      throw new Error(`seed ${organization.seed}: the sweeper ended a call of a living process`);
    }
    organization.reference.settle(row.settled_at.getTime(), row.request_id, 0, "sweeper");
  }
}

/** Each account as its owner would see it, all in one query: one by one, they took a tenth of the run. */
async function compare(database: TestDatabase, organizations: Organization[]): Promise<void> {
  const now = await databaseNow(database);
  const seen = await database.db.pool.query<{ balances: string[] }>(
    `select array[subscription_available, anytime_available, subscription_held, anytime_held, debt]::text[] as balances
     from unnest($1::uuid[]) with ordinality as organization (id, at), ledger_account(organization.id)
     order by organization.at`,
    [organizations.map(({ orgId }) => orgId)],
  );
  for (const [at, { seed, reference }] of organizations.entries()) {
    reference.expire(now);
    const actual = seen.rows[at]?.balances ?? [];
    const expected = [
      reference.subscription,
      reference.anytime,
      reference.held.subscription,
      reference.held.anytime,
      reference.debt,
    ];
    if (actual.join() !== expected.join()) {
      throw new Error(`seed ${seed}: the accounts say ${actual.join()}, the reference ${expected.join()}`);
    }
  }
}

async function finish(
  database: TestDatabase,
  nodes: SimulatedNodes,
  organizations: Organization[],
): Promise<void> {
  await endAll(nodes, organizations, await databaseNow(database));
  const before = await databaseNow(database);
  await nodes.pass(0);
  await nodes.pass(0);
  await reconcileSweep(database, organizations, before);
  await compare(database, organizations);
  const left = await database.db.pool.query("select count(*)::int as holds from holds");
  if (left.rows[0]?.holds !== 0) throw new Error(`${left.rows[0]?.holds} holds are left when all is quiet`);
  const audit = await verifyLedger(database.db);
  if (audit.faults.length > 0) throw new Error(`the audit found ${JSON.stringify(audit.faults[0])}`);
}

async function endAll(nodes: SimulatedNodes, organizations: Organization[], now: number): Promise<void> {
  const all = organizations.flatMap((organization) =>
    [...organization.open.values()].map(({ call }) => ({ organization, call })),
  );
  if (all.length === 0) return;
  await nodes.settle(all.map(({ call }) => releaseOf(call)));
  for (const { organization, call } of all) {
    organization.reference.settle(now, call.requestId, 0, "call");
    organization.open.delete(call.requestId);
  }
}
