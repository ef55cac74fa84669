import type { Database } from "../db/index.ts";
import type { RequestReceipt } from "./request-record.ts";
import {
  ENDED_COLUMNS,
  NAMES,
  type RequestRow,
  RUNNING_COLUMNS,
  requestFromRow,
} from "./request-row-store.ts";

type ReceiptRow = RequestRow & {
  settled_at: Date | null;
  held: string;
  charged_subscription: string;
  charged_anytime: string;
  written_off: string;
  left_after: string | null;
  rule: unknown;
  target: string | null;
  ended_by: string | null;
};

// A call is in exactly one of the two tables: settlement moves it within one transaction.
const RECEIPT = `
  select q.*, ${NAMES}, (select p.rule from price_rules p where p.id = q.price_rule) as rule
  from (
    select ${ENDED_COLUMNS}, settled_at, held_credits as held, charged_subscription, charged_anytime,
      written_off_credits as written_off, subscription_after + anytime_after as left_after, price_rule, target, ended_by
    from requests where org_id = $1 and request_id = $2
    union all
    select ${RUNNING_COLUMNS}, null, subscription + anytime, 0, 0, 0, null, null, null, null
    from holds where org_id = $1 and request_id = $2) q
  limit 1`;

/** Null if the organization made no such call. */
export async function loadReceipt(
  db: Database,
  orgId: string,
  requestId: string,
): Promise<RequestReceipt | null> {
  const { rows } = await db.pool.query<ReceiptRow>({
    name: "usage_receipt",
    text: RECEIPT,
    values: [orgId, requestId],
  });
  const [row] = rows;
  if (!row) return null;
  return {
    ...requestFromRow(row),
    settledAt: row.settled_at,
    held: Number(row.held),
    chargedSubscription: Number(row.charged_subscription),
    chargedAnytime: Number(row.charged_anytime),
    writtenOff: Number(row.written_off),
    leftAfter: row.left_after === null ? null : Number(row.left_after),
    priceRule: row.rule,
    target: row.target,
    isGivenUp: row.ended_by === "sweeper",
  };
}
