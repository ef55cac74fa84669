import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";

/** A balance is low if it is below a share of the month's credits or below a fixed number. */
export type LowBalance = { readonly lowBalancePercent: number; readonly lowBalanceCredits: number };

/** An organization's balance and its running calls. */
export type Standing = {
  /** The time of this snapshot, by the database's clock. */
  readonly at: Date;
  readonly subscription: number;
  readonly anytime: number;
  readonly held: number;
  readonly debt: number;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** Sum of all grants to the open period. */
  readonly subscriptionGranted: number;
  readonly isLow: boolean;
  readonly callsInFlight: number;
  readonly jobsInFlight: number;
};

// Grants are as few as months and payments, and their primary key starts with the organization.
const STANDING = `
  select coalesce(a.period_end <= bursar_now() and time_is_believed(), false) as "isDue", bursar_now() as at,
    a.subscription_available::float8 as subscription, a.anytime_available::float8 as anytime,
    (a.subscription_held + a.anytime_held)::float8 as held, a.debt::float8 as debt,
    a.period_start as "periodStart", a.period_end as "periodEnd", b.granted::float8 as "subscriptionGranted",
    b.is_low as "isLow", a.calls_in_flight as "callsInFlight", a.jobs_in_flight as "jobsInFlight"
  from (select expecting($4, $1)::uuid as org_id offset 0) asked join accounts a using (org_id)
    cross join lateral balance_standing(a, $2, $3) b`;

/** `isDue`: the period has ended and must be expired first. */
export async function loadStanding(
  db: Database,
  orgId: string,
  { lowBalanceCredits, lowBalancePercent }: LowBalance,
): Promise<{ isDue: boolean; standing: Standing }> {
  const { rows } = await db.pool.query<Standing & { isDue: boolean }>({
    name: "usage_standing",
    text: STANDING,
    values: [orgId, lowBalanceCredits, lowBalancePercent, db.time.text()],
  });
  const { isDue, ...standing } = present(rows[0], `the account of organization ${orgId}`);
  return { isDue, standing };
}
