import { byteaArray, type Database, plainArray, quotedArray } from "../db/index.ts";
import { assert, creditsFromSql, present, type RateState, unreachable } from "../kit/index.ts";
import { type Epoch, groupByOrganization, inArrivalOrder, inGroupedOrder } from "../ledger/index.ts";
import type { Admission, AdmissionCall, Decision } from "./call.ts";

/** The lane of admissions, which run one batch after another. */
export const ADMIT_LANE = "admit";

export type AdmitRow = {
  outcome: Admission["outcome"];
  granted: string;
  available: string;
  held: string;
  rate_limit: number;
  rate_left: number;
  reset_ms: number;
  first_request: string | null;
  charged: string;
  subscription_after: string;
  anytime_after: string;
};

/**
 * Each result is one text, with the few fields of an admitted call first: for the driver, every column of every row
 * costs more than splitting the text here. The stored reply is left out and so not even read from disk: all admissions
 * of this process wait for this statement.
 */
const ADMIT = `select case outcome
    when 'admitted' then concat(outcome, '|', granted, '|', rate_limit, '|', rate_left, '|', reset_ms)
    else concat(outcome, '|', granted, '|', rate_limit, '|', rate_left, '|', reset_ms, '|', available, '|', held, '|',
      first_request, '|', charged, '|', subscription_after, '|', anytime_after)
  end as answer
  from ledger_admit(expecting($21, $1)::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $22)`;

type Answer = { readonly answer: string };

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
    .query<Answer>(ADMIT, [
      epoch.processId,
      epoch.epoch,
      retry,
      plainArray(grouped.orgIds),
      plainArray(grouped.counts),
      plainArray(items.map((item) => item.requestId)),
      plainArray(items.map((item) => item.keyId)),
      plainArray(items.map((item) => item.memberUserId)),
      quotedArray(items.map((item) => item.endpoint)),
      quotedArray(items.map((item) => item.model)),
      plainArray(items.map((item) => item.kind)),
      plainArray(items.map((item) => item.minimum)),
      plainArray(items.map((item) => item.full)),
      plainArray(items.map((item) => item.requestsPerMinute)),
      plainArray(items.map((item) => item.inFlight)),
      plainArray(items.map((item) => item.keyRequestsPerMinute)),
      plainArray(items.map((item) => item.keyInFlight)),
      plainArray(items.map((item) => item.holdTtlMs)),
      quotedArray(items.map((item) => item.idempotency?.key ?? null)),
      byteaArray(items.map((item) => item.idempotency?.fingerprint ?? null)),
      db.time.text(),
      plainArray(items.map((item) => String(item.sharesBalance))),
    ]);
  assert(rows.length === items.length, "every call is answered");
  return inArrivalOrder(rows.map(decisionFromAnswer), grouped);
}

function decisionFromAnswer({ answer }: Answer): Decision {
  const fields = answer.split("|");
  const [outcome = "", granted = "", rateLimit, rateLeft, resetMs] = fields;
  const [available = "", held = "", firstRequest = "", charged = "", subscription = "", anytime = ""] =
    fields.slice(5);
  return decisionFromRow({
    outcome: outcome as Admission["outcome"],
    granted,
    rate_limit: Number(rateLimit),
    rate_left: Number(rateLeft),
    reset_ms: Number(resetMs),
    available,
    held,
    first_request: firstRequest === "" ? null : firstRequest,
    charged,
    subscription_after: subscription,
    anytime_after: anytime,
  });
}

function rateFromRow(row: AdmitRow): RateState {
  return { limit: row.rate_limit, remaining: row.rate_left, resetSeconds: Math.ceil(row.reset_ms / 1000) };
}

export function decisionFromRow(row: AdmitRow): Decision {
  switch (row.outcome) {
    case "admitted":
      return { outcome: "admitted", granted: creditsFromSql(row.granted), rate: rateFromRow(row) };
    case "replay":
      return {
        outcome: "replay",
        requestId: present(row.first_request, "the first request"),
        charged: creditsFromSql(row.charged),
        subscriptionAfter: creditsFromSql(row.subscription_after),
        anytimeAfter: creditsFromSql(row.anytime_after),
        rate: rateFromRow(row),
      };
    case "running":
    case "conflict":
      return {
        outcome: row.outcome,
        requestId: present(row.first_request, "the first request"),
        rate: rateFromRow(row),
      };
    case "rate_limited":
    case "too_many_in_flight":
      return { outcome: row.outcome, rate: rateFromRow(row) };
    case "insufficient":
      return {
        outcome: "insufficient",
        available: creditsFromSql(row.available),
        held: creditsFromSql(row.held),
        rate: rateFromRow(row),
      };
    case "lease_lost":
      return { outcome: "lease_lost" };
    default:
      return unreachable(row.outcome);
  }
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
