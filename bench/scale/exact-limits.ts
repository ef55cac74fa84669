import type { Database } from "../../gateway/src/db/index.ts";
import { assert, present } from "../../gateway/src/kit/index.ts";
import { type CallTally, call, untilRefused } from "./callers.ts";
import { loadCallsByMinute } from "./exact-books.ts";
import { makeOrganizations, type ScaleOrganization } from "./make-organizations.ts";
import type { ScaleUpstream } from "./scale-gateway.ts";
import { requireSpent } from "./spent.ts";

export type Refusals = {
  readonly refusedByRate: number;
  readonly refusedForCredits: number;
  readonly refusedInFlight: number;
};

const REFUSALS = 500;
const MOST_SECONDS = 90;
const CONNECTIONS = 24;
const RATE = 300;
const IN_FLIGHT = 5;
const FEW_CREDITS = 500;
/** Price of any call: if less than this is left, a refusal is right. */
const PRICE = 1;

/** Three organizations that reach their limits at the same time, across all processes. */
export async function proveLimits(input: {
  db: Database;
  upstream: ScaleUpstream;
  origin: string;
}): Promise<Refusals> {
  const { db, origin } = input;
  const [hasty] = await makeOrganizations(db, 1, { requestsPerMinute: RATE });
  const [poor] = await makeOrganizations(db, 1, { credits: FEW_CREDITS });
  const [wide] = await makeOrganizations(db, 1, { inFlight: IN_FLIGHT });
  const ask = (organization: ScaleOrganization | undefined, status: number, text?: string) =>
    call({
      origin,
      caller: () => present(organization, "an organization"),
      connections: CONNECTIONS,
      text,
      goesOn: untilRefused(status, REFUSALS, MOST_SECONDS),
    });
  const [byRate, byCredits, inFlight] = await Promise.all([
    ask(hasty, 429),
    ask(poor, 402),
    ask(wide, 429, "Please take your time."),
  ]);
  await requireRate(db, present(hasty, "an organization"), byRate);
  await requireSpentWhole(db, present(poor, "an organization"), byCredits);
  const atMost = await input.upstream.slowAtMost();
  assert(atMost === IN_FLIGHT, `${atMost} calls ran together where ${IN_FLIGHT} may`);
  return {
    refusedByRate: byRate.byStatus.get(429) ?? 0,
    refusedForCredits: byCredits.byStatus.get(402) ?? 0,
    refusedInFlight: inFlight.byStatus.get(429) ?? 0,
  };
}

/** Never one call too many, and no refusal while one was left. */
async function requireRate(db: Database, { id }: ScaleOrganization, tally: CallTally): Promise<void> {
  const byMinute = await loadCallsByMinute(db, id);
  for (const [minute, calls] of byMinute) {
    assert(calls <= RATE, `${calls} calls in a minute that takes ${RATE}`);
    if (tally.fullMinutes.has(minute)) assert(calls === RATE, `a refusal after ${calls} calls of ${RATE}`);
  }
  assert(tally.fullMinutes.size > 0, "nobody was refused for asking too often");
}

/** Spent to the last credit, and not beyond. */
async function requireSpentWhole(
  db: Database,
  organization: ScaleOrganization,
  tally: CallTally,
): Promise<void> {
  const told = tally.chargedBy.get(organization.id) ?? 0;
  assert((tally.byStatus.get(402) ?? 0) > 0, "nobody was refused for lack of credits");
  assert(FEW_CREDITS - told < PRICE, `${FEW_CREDITS - told} credits were left unspent`);
  await requireSpent(db, [organization], [tally], FEW_CREDITS);
}
