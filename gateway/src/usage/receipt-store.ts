import type { Database } from "../db/index.ts";
import type { RequestReceipt } from "./request-record.ts";
import { ENDED_COLUMNS, RECORD_COLUMNS, RUNNING_COLUMNS } from "./request-row-store.ts";

// A call is in exactly one of the two tables: settlement moves it within one transaction.
const RECEIPT = `
  select ${RECORD_COLUMNS}, q.settled_at as "settledAt", q.held::float8 as held,
    q.charged_subscription::float8 as "chargedSubscription", q.charged_anytime::float8 as "chargedAnytime",
    q.written_off::float8 as "writtenOff", q.left_after::float8 as "leftAfter",
    (select p.rule from price_rules p where p.id = q.price_rule) as "priceRule", q.target,
    q.ended_by is not distinct from 'sweeper' as "isGivenUp"
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
  const { rows } = await db.pool.query<RequestReceipt>({
    name: "usage_receipt",
    text: RECEIPT,
    values: [orgId, requestId],
  });
  return rows[0] ?? null;
}
