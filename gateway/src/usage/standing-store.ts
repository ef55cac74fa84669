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

type StandingRow = {
  at: Date;
  subscription: string;
  anytime: string;
  held: string;
  debt: string;
  period_start: Date | null;
  period_end: Date | null;
  granted: string;
  is_low: boolean;
  calls_in_flight: number;
  jobs_in_flight: number;
  is_due: boolean;
};

// Grants are as few as months and payments, and their primary key starts with the organization.
const STANDING = `
  select bursar_now() as at, a.subscription_available as subscription, a.anytime_available as anytime,
    a.subscription_held + a.anytime_held as held, a.debt, a.period_start, a.period_end, a.calls_in_flight,
    a.jobs_in_flight, coalesce(a.period_end <= bursar_now() and time_is_believed(), false) as is_due, b.granted, b.is_low
  from (select expecting($4, $1)::uuid as org_id offset 0) asked join accounts a using (org_id)
    cross join lateral balance_standing(a, $2, $3) b`;

/** `isDue`: the period has ended and must be expired first. */
export async function loadStanding(
  db: Database,
  orgId: string,
  { lowBalanceCredits, lowBalancePercent }: LowBalance,
): Promise<{ isDue: boolean; standing: Standing }> {
  const { rows } = await db.pool.query<StandingRow>({
    name: "usage_standing",
    text: STANDING,
    values: [orgId, lowBalanceCredits, lowBalancePercent, db.time.text()],
  });
  const row = present(rows[0], `the account of organization ${orgId}`);
  return {
    isDue: row.is_due,
    standing: {
      at: row.at,
      subscription: Number(row.subscription),
      anytime: Number(row.anytime),
      held: Number(row.held),
      debt: Number(row.debt),
      periodStart: row.period_start,
      periodEnd: row.period_end,
      subscriptionGranted: Number(row.granted),
      isLow: row.is_low,
      callsInFlight: row.calls_in_flight,
      jobsInFlight: row.jobs_in_flight,
    },
  };
}
