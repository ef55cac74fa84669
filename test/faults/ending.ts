import { expect } from "bun:test";
import type { Database } from "../../gateway/src/db/index.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";

/** How a call must have ended, in the terms of its row in `requests`. */
type Ending = {
  readonly status: "succeeded" | "failed" | "cancelled";
  /** Undefined if any amount is accepted. */
  readonly charged?: number;
  readonly errorCode?: string | null;
  readonly endedBy?: "call" | "sweeper";
};

type RequestRow = {
  readonly status: string;
  readonly charged: number;
  readonly error_code: string | null;
  readonly reason: string | null;
  readonly ended_by: string;
  readonly held: number;
  readonly written_off: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly late_cost: number | null;
};

/** The row of a call; null if it left none. */
export async function requestRow(db: Database, requestId: string): Promise<RequestRow | null> {
  const result = await db.pool.query<RequestRow>(
    `select status, (charged_subscription + charged_anytime)::int as charged, error_code, reason, ended_by,
       held_credits::int as held, written_off_credits::int as written_off, input_tokens::int, output_tokens::int,
       late_cost::int
     from requests where request_id = $1`,
    [requestId],
  );
  return result.rows[0] ?? null;
}

export async function creditsOf(db: Database, orgId: string): Promise<{ available: number; held: number }> {
  const result = await db.pool.query<{ available: number; held: number }>(
    `select (subscription_available + anytime_available)::int as available,
       (subscription_held + anytime_held)::int as held from accounts where org_id = $1`,
    [orgId],
  );
  return result.rows[0] ?? { available: Number.NaN, held: Number.NaN };
}

/**
 * Proves that a call ended as it must: its row says so, the balance fell by exactly what was charged, nothing is held,
 * and the ledger replays. The organization must have made no other call.
 */
export async function expectEnding(
  db: Database,
  call: { readonly orgId: string; readonly requestId: string; readonly creditsBefore: number },
  ending: Ending,
): Promise<RequestRow> {
  const row = await requestRow(db, call.requestId);
  if (row === null) throw new Error(`request ${call.requestId} left no row`);
  expect({ status: row.status, error_code: row.error_code, ended_by: row.ended_by }).toEqual({
    status: ending.status,
    error_code: ending.errorCode ?? null,
    ended_by: ending.endedBy ?? "call",
  });
  if (ending.charged !== undefined) expect(row.charged).toBe(ending.charged);
  await expectQuiet(db, call.orgId, call.creditsBefore - row.charged);
  return row;
}

/** Nothing is held, exactly `available` credits are left, and the ledger replays to that. */
export async function expectQuiet(db: Database, orgId: string, available: number): Promise<void> {
  expect(await creditsOf(db, orgId)).toEqual({ available, held: 0 });
  const holds = await db.pool.query("select 1 from holds where org_id = $1", [orgId]);
  expect(holds.rowCount).toBe(0);
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
}

/** Tables that say what was refused, or that the schedule writes whenever it comes to what happened before. */
const LATER = ["refusals", "event_heads", "deliveries", "balance_notices"];

/** The number of rows in every other table, to show that something left no other trace. */
export async function rowCounts(db: Database): Promise<Record<string, number>> {
  const tables = await db.pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all($1) order by 1`,
    [LATER],
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const counted = await db.pool.query<{ rows: number }>(`select count(*)::int as rows from ${name}`);
    counts[name] = counted.rows[0]?.rows ?? 0;
  }
  return counts;
}
