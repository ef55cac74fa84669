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

export type GrantOutcome = {
  /**
   * granted: added now. repeat: this reference was granted before. conflict: it was granted with another amount or
   * pool. period_differs: the open period ends at another time than requested. already_expired: no period is open, and
   * `expiresAt` is null or in the past.
   */
  readonly outcome: "granted" | "repeat" | "conflict" | "period_differs" | "already_expired";
  readonly grantId: string;
  readonly account: Account;
  /** True if it was added by this very request, not by an earlier one with the same id. */
  readonly isNew: boolean;
};

/** The caller may choose the id and, if the reply was lost, send it again: the ledger applies each id once. */
type Askable = { readonly id?: string };

export type Grant = Askable & {
  readonly orgId: string;
  readonly pool: Pool;
  readonly amount: Credits;
  /** Makes the grant idempotent: the order's reference, or one chosen by the operator. */
  readonly reference: string | null;
  /** End of the period that a subscription grant opens; null adds to the period that is open. */
  readonly expiresAt: Date | null;
  readonly kind: "pack" | "manual";
  readonly description: string;
};

type GrantRow = AccountRow & { outcome: GrantOutcome["outcome"]; grant_id: string };

export async function saveGrant(
  db: Database,
  grant: Grant & { readonly id: string },
): Promise<Omit<GrantOutcome, "isNew">> {
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

export type Renewal = {
  readonly orgId: string;
  readonly amount: Credits;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly reference: string | null;
  readonly description: string;
  /** If set, renews only if the organization's scheduled plan started at this time. */
  readonly planSince?: Date;
};

export type RenewalOutcome = {
  /**
   * early: the period has not begun. over: it has already ended. stale: a later one is open. changed: the organization
   * has another plan by now.
   */
  readonly outcome: "renewed" | "repeat" | "early" | "over" | "stale" | "changed";
  readonly account: Account;
};

export async function saveRenewal(
  db: Database,
  renewal: Renewal & { readonly id: string },
): Promise<RenewalOutcome> {
  const result = await db.pool.query<AccountRow & Pick<RenewalOutcome, "outcome">>(
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

export type Adjustment = Askable & {
  readonly orgId: string;
  readonly pool: Pool;
  readonly amount: CreditDelta;
  readonly description: string;
};

export type AdjustmentOutcome = {
  readonly outcome: "adjusted" | "insufficient" | "no_open_period";
  readonly account: Account;
  /** The correction's entry, as the balance view names it; the newest existing entry if nothing was corrected. */
  readonly entryId: string;
  /** How much of the added credits went into paying off debt. */
  readonly debtPaid: Credits;
  /** True if it was made by this very request, not by an earlier one with the same id. */
  readonly isNew: boolean;
};

/** repeat: it was made before, under the same id. */
type SavedAdjustment = Omit<AdjustmentOutcome, "outcome" | "isNew"> & {
  readonly outcome: AdjustmentOutcome["outcome"] | "repeat";
};

export async function saveAdjustment(
  db: Database,
  adjustment: Adjustment & { readonly id: string },
): Promise<SavedAdjustment> {
  const { orgId, id, pool, amount, description } = adjustment;
  const result = await db.pool.query<
    AccountRow & Pick<SavedAdjustment, "outcome"> & { debt_paid: string; entry_seq: string }
  >("select outcome, debt_paid, (account).* from ledger_adjust(expecting($6, $1)::uuid, $2, $3, $4, $5)", [
    orgId,
    id,
    pool,
    amount,
    description,
    db.time.text(),
  ]);
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
    [quotedColumn(rules, "id"), quotedColumn(rules, "model"), quotedColumn(rules, "json")],
  );
}

/** True if a gateway ever served on this database: each stores its price rules before anything else. */
export async function hasServed(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query<{ served: boolean }>(
    "select exists (select from price_rules) as served",
  );
  return rows[0]?.served === true;
}
