import {
  byteaArray,
  type Database,
  plainArray,
  plainColumn,
  quotedArray,
  quotedColumn,
} from "../db/index.ts";
import { assert, creditsFromSql, present, type RateState, unreachable } from "../kit/index.ts";
import { type Epoch, groupByOrganization, inArrivalOrder, inGroupedOrder } from "../ledger/index.ts";
import type { Admission, AdmissionCall, Decision } from "./call.ts";

/** The lane of admissions, which run one batch after another. */
export const ADMIT_LANE = "admit";

/**
 * Each result is one text, with the few fields of an admitted call first: for the driver, every column of every row
 * costs more than splitting the text here. The stored reply is left out and so not even read from disk: all admissions
 * of this process wait for this statement.
 */
export const DECISION = `case outcome
    when 'admitted' then concat(outcome, '|', granted, '|', rate_limit, '|', rate_left, '|', reset_ms)
    else concat(outcome, '|', granted, '|', rate_limit, '|', rate_left, '|', reset_ms, '|', available, '|', held, '|',
      first_request, '|', charged, '|', subscription_after, '|', anytime_after)
  end as answer`;

const ADMIT = `select ${DECISION}
  from ledger_admit(expecting($21, $1)::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $22)`;

/**
 * One transaction for all; results in order of arrival. `retry` looks for what an attempt whose reply was lost left
 * behind.
 */
export async function admitAll(
  db: Database,
  epoch: Epoch,
  calls: readonly AdmissionCall[],
  retry: boolean,
): Promise<Decision[]> {
  const grouped = groupByOrganization(calls);
  const items = inGroupedOrder(calls, grouped);
  const rows = await db
    .lane(ADMIT_LANE)
    .query<{ answer: string }>(ADMIT, [
      epoch.processId,
      epoch.epoch,
      retry,
      plainArray(grouped.orgIds),
      plainArray(grouped.counts),
      plainColumn(items, "requestId"),
      plainColumn(items, "keyId"),
      plainColumn(items, "memberUserId"),
      quotedColumn(items, "endpoint"),
      quotedColumn(items, "model"),
      plainColumn(items, "kind"),
      plainColumn(items, "minimum"),
      plainColumn(items, "full"),
      plainColumn(items, "requestsPerMinute"),
      plainColumn(items, "inFlight"),
      plainColumn(items, "keyRequestsPerMinute"),
      plainColumn(items, "keyInFlight"),
      plainColumn(items, "holdTtlMs"),
      quotedArray(items.map((item) => item.idempotency?.key ?? null)),
      byteaArray(items.map((item) => item.idempotency?.fingerprint ?? null)),
      db.time.text(),
      plainArray(items.map((item) => String(item.sharesBalance))),
    ]);
  assert(rows.length === items.length, "every call is answered");
  return inArrivalOrder(rows.map(decisionFromAnswer), grouped);
}

export function decisionFromAnswer({ answer }: { readonly answer: string }): Decision {
  const [outcomeText, granted = "", rateLimit, rateLeft, resetMs, ...others] = answer.split("|");
  const [available = "", held = "", requestId = "", charged = "", subscription = "", anytime = ""] = others;
  const outcome = outcomeText as Admission["outcome"];
  const rate = rateOf(rateLimit, rateLeft, resetMs);
  switch (outcome) {
    case "admitted":
      return { outcome, granted: creditsFromSql(granted), rate };
    case "replay":
      return {
        outcome,
        requestId: present(requestId || null, "the first request"),
        charged: creditsFromSql(charged),
        subscriptionAfter: creditsFromSql(subscription),
        anytimeAfter: creditsFromSql(anytime),
        rate,
      };
    case "running":
    case "conflict":
      return { outcome, requestId: present(requestId || null, "the first request"), rate };
    case "rate_limited":
    case "too_many_in_flight":
      return { outcome, rate };
    case "insufficient":
      return { outcome, available: creditsFromSql(available), held: creditsFromSql(held), rate };
    case "lease_lost":
      return { outcome };
    default:
      return unreachable(outcome);
  }
}

/** Numbers as the database writes them. */
export function rateOf(
  limit: string | number | undefined,
  remaining: string | undefined,
  resetMs: string | undefined,
): RateState {
  return {
    limit: Number(limit),
    remaining: Number(remaining),
    resetSeconds: Math.ceil(Number(resetMs) / 1000),
  };
}

/** Only reads, without locking the account, so the answer may be out of date on arrival. */
export async function loadIsRepeat(
  db: Database,
  { orgId, keyId, endpoint, key }: Omit<ReplyQuestion, "requestId"> & { readonly keyId: string },
): Promise<boolean> {
  const { rowCount } = await db.pool.query({
    name: "is_repeat",
    text: `select 1 from idempotency where org_id = $1 and endpoint = $2 and key = $3 and key_id = $5
      and (state = 'running' or expires_at > bursar_now() or not time_is_believed($4))`,
    values: [orgId, endpoint, key, db.time.text(), keyId],
  });
  return rowCount === 1;
}

export type ReplyQuestion = {
  readonly orgId: string;
  readonly endpoint: string;
  readonly key: string;
  /** Id of the first call: the key may have been reused by another since. */
  readonly requestId: string;
};

/** Null if it no longer exists. */
export async function loadReply(
  db: Database,
  { orgId, endpoint, key, requestId }: ReplyQuestion,
): Promise<{ readonly reply: string | null } | null> {
  const { rows } = await db.pool.query<{ reply: string | null }>({
    name: "kept_reply",
    text: `select reply from idempotency where org_id = $1 and endpoint = $2 and key = $3 and request_id = $4
      and state = 'done'`,
    values: [orgId, endpoint, key, requestId],
  });
  return rows[0] ?? null;
}
