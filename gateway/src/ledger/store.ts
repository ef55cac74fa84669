import { type Database, plainArray, plainColumn, quotedColumn } from "../db/index.ts";
import { assert, type CreditDelta, type Credits, creditsFromSql } from "../kit/index.ts";
import { type Account, type AccountRow, accountFromRow, type Pool } from "./account.ts";
import { groupByOrganization, inArrivalOrder, inGroupedOrder } from "./by-organization.ts";
import { SETTLE_LANE, SWEEP_LANE } from "./lanes.ts";
import { SETTLED, settledFromAnswer } from "./settled-row.ts";
import type { Settled, Settlement } from "./settlement.ts";

const SETTLE = `select ${SETTLED}
  from ledger_settle(expecting($21, $1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`;

const LANES = { call: SETTLE_LANE, sweeper: SWEEP_LANE } as const;

/** One transaction for all; results in order of arrival. */
export async function settleAll(
  db: Database,
  by: "call" | "sweeper",
  settlements: readonly Settlement[],
): Promise<Settled[]> {
  const grouped = groupByOrganization(settlements);
  const items = inGroupedOrder(settlements, grouped);
  const rows = await db.lane(LANES[by]).query<{ answer: string }>(SETTLE, [
    by,
    plainArray(grouped.orgIds),
    plainArray(grouped.counts),
    plainColumn(items, "requestId"),
    plainColumn(items, "cost"),
    plainColumn(items, "status"),
    plainColumn(items, "keyId"),
    plainColumn(items, "memberUserId"),
    quotedColumn(items, "endpoint"),
    quotedColumn(items, "model"),
    plainColumn(items, "inputTokens"),
    plainColumn(items, "outputTokens"),
    plainColumn(items, "tokensSaved"),
    plainColumn(items, "latencyMs"),
    plainColumn(items, "errorCode"),
    plainColumn(items, "priceRuleId"),
    quotedColumn(items, "target"),
    quotedColumn(items, "reply"),
    // Null for the whole batch if, as usual, no call has anything to store.
    items.some((item) => item.measured !== null) ? quotedColumn(items, "measured") : null,
    items.some((item) => item.reason !== null) ? quotedColumn(items, "reason") : null,
    db.time.text(),
  ]);
  assert(rows.length === items.length, "every settlement is answered");
  return inArrivalOrder(rows.map(settledFromAnswer), grouped);
}

export async function loadAccount(db: Database, orgId: string): Promise<Account> {
  const result = await db.pool.query<AccountRow>({
    name: "ledger_account",
    text: "select * from ledger_account(expecting($2, $1)::uuid)",
    values: [orgId, db.time.text()],
  });
  const row = result.rows[0];
  assert(row?.org_id, `no account for organization ${orgId}`);
  return accountFromRow(row);
}

type GrantRow = AccountRow & { outcome: string; grant_id: string };

export async function saveGrant(
  db: Database,
  grant: {
    orgId: string;
    id: string;
    pool: Pool;
    kind: "pack" | "manual";
    amount: Credits;
    reference: string | null;
    expiresAt: Date | null;
    description: string;
  },
): Promise<{ outcome: string; grantId: string; account: Account }> {
  const result = await db.pool.query<GrantRow>(
    "select outcome, grant_id, (account).* from ledger_grant(expecting($9, $1)::uuid, $2, $3, $4, $5, $6, $7, $8)",
    [
      grant.orgId,
      grant.id,
      grant.pool,
      grant.kind,
      grant.amount,
      grant.reference,
      grant.expiresAt,
      grant.description,
      db.time.text(),
    ],
  );
  const row = result.rows[0];
  assert(row, "a grant is answered");
  return { outcome: row.outcome, grantId: row.grant_id, account: accountFromRow(row) };
}

export async function saveRenewal(
  db: Database,
  renewal: {
    orgId: string;
    id: string;
    amount: Credits;
    startsAt: Date;
    endsAt: Date;
    reference: string | null;
    description: string;
    planSince?: Date;
  },
): Promise<{ outcome: string; account: Account }> {
  const result = await db.pool.query<AccountRow & { outcome: string }>(
    "select outcome, (account).* from ledger_renew(expecting($9, $1)::uuid, $2, $3, $4, $5, $6, $7, $8)",
    [
      renewal.orgId,
      renewal.id,
      renewal.amount,
      renewal.startsAt,
      renewal.endsAt,
      renewal.reference,
      renewal.description,
      renewal.planSince ?? null,
      db.time.text(),
    ],
  );
  const row = result.rows[0];
  assert(row, "a renewal is answered");
  return { outcome: row.outcome, account: accountFromRow(row) };
}

export async function saveAdjustment(
  db: Database,
  adjustment: { orgId: string; id: string; pool: Pool; amount: CreditDelta; description: string },
): Promise<{ outcome: string; account: Account; entryId: string; debtPaid: Credits }> {
  const { orgId, id, pool, amount, description } = adjustment;
  const result = await db.pool.query<AccountRow & { outcome: string; debt_paid: string; entry_seq: string }>(
    "select outcome, debt_paid, (account).* from ledger_adjust(expecting($6, $1)::uuid, $2, $3, $4, $5)",
    [orgId, id, pool, amount, description, db.time.text()],
  );
  const row = result.rows[0];
  assert(row, "an adjustment is answered");
  const { outcome, entry_seq } = row;
  const debtPaid = creditsFromSql(row.debt_paid);
  // If debt was paid, its entry is the newest, and the correction's is the one before.
  const newest = String(BigInt(entry_seq) - (debtPaid > 0 ? 1n : 0n));
  const entryId = outcome === "repeat" ? await loadCorrectionEntry(db, adjustment) : newest;
  return { outcome, account: accountFromRow(row), entryId, debtPaid };
}

async function loadCorrectionEntry(
  db: Database,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<string> {
  const { rows } = await db.pool.query<{ seq: string }>(
    "select seq::text as seq from corrections where org_id = $1 and id = $2",
    [orgId, id],
  );
  assert(rows[0], "a correction that was made is kept");
  return rows[0].seq;
}

/** Stores price rules by id, so that the rule behind a charge can be read long after the catalog has changed. */
export async function savePriceRules(
  db: Database,
  rules: readonly { readonly id: string; readonly model: string; readonly json: string }[],
): Promise<void> {
  await db.pool.query(
    `insert into price_rules (id, model, rule)
     select * from unnest($1::text[], $2::text[], $3::jsonb[]) on conflict (id) do nothing`,
    [rules.map((rule) => rule.id), rules.map((rule) => rule.model), rules.map((rule) => rule.json)],
  );
}

/** True if a gateway ever served on this database: each stores its price rules before anything else. */
export async function hasServed(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query<{ served: boolean }>(
    "select exists (select from price_rules) as served",
  );
  return rows[0]?.served === true;
}
