import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";
import type { BalanceView, LedgerEntryView } from "./balance-view.ts";
import { createValues } from "./filter-store.ts";
import { lowestIdOf } from "./id-bounds-store.ts";
import { lastUseOf } from "./key-spend-store.ts";
import { type RefusalSum, refusedWithin } from "./refusal-store.ts";
import type { Nullable } from "./report-store.ts";
import type {
  ApiKeyUsage,
  DayUsage,
  MemberUsage,
  ModelUsage,
  RequestView,
  UsageSummary,
} from "./usage-view.ts";

type BalanceRow = {
  subscription: string;
  anytime: string;
  held: string;
  period_end: Date | null;
  is_due: boolean;
  ledger: LedgerEntryView[] | null;
};

// Account and entries come from one snapshot: the balance after the newest entry always matches the balance shown.
const BALANCE = `
  select a.subscription_available as subscription, a.anytime_available as anytime,
    a.subscription_held + a.anytime_held as held, a.period_end,
    coalesce(a.period_end <= bursar_now() and time_is_believed($3), false) as is_due,
    (select json_agg(row_to_json(e)) from (
      select seq::text as id, created_at, type, pool, amount, balance_after, request_id, description
      from entries where org_id = $1 order by seq desc limit $2) e) as ledger
  from accounts a where a.org_id = $1`;

export async function loadBalance(
  db: Database,
  orgId: string,
  limit: number,
): Promise<{ isDue: boolean; view: Pick<BalanceView, "balance" | "recent_ledger"> }> {
  const result = await db.pool.query<BalanceRow>({
    name: "usage_balance",
    text: BALANCE,
    values: [orgId, limit, db.time.text()],
  });
  const row = present(result.rows[0], `the account of organization ${orgId}`);
  const subscription = Number(row.subscription);
  const anytime = Number(row.anytime);
  return {
    isDue: row.is_due,
    view: {
      balance: {
        subscription_credits: subscription,
        anytime_credits: anytime,
        total_credits: subscription + anytime,
        held_credits: Number(row.held),
        subscription_credits_expire_at: row.period_end?.toISOString() ?? null,
      },
      recent_ledger: (row.ledger ?? []).map((entry) => ({ ...entry, created_at: isoTime(entry.created_at) })),
    },
  };
}

/** Records the expiry of a period that has ended; the result is not needed. */
export async function expirePeriod(db: Database, orgId: string): Promise<void> {
  await db.pool.query("select org_id from ledger_account(expecting($2, $1)::uuid)", [orgId, db.time.text()]);
}

type Totals =
  | "requests"
  | "failed_requests"
  | "credits_charged"
  | "input_tokens"
  | "output_tokens"
  | "tokens_saved";

type LoadedUsage = {
  readonly from: string;
  readonly to: string;
  readonly totals: Pick<UsageSummary, Totals>;
  readonly refusals: readonly RefusalSum[];
  readonly by_day: readonly DayUsage[];
  readonly by_model: readonly (Omit<ModelUsage, "type"> & {
    readonly tokens_saved: number;
    /** One of the endpoints at which the model was called. */
    readonly endpoint: string;
  })[];
  readonly by_api_key: readonly ApiKeyUsage[];
  readonly by_member: readonly MemberUsage[];
  readonly requests: readonly RequestView[];
};

/**
 * Most requests to skip while looking for those that ended within the days: calls that began and ended before the first
 * midnight.
 */
const MAX_PASSED_OVER = 1_000;

/** As many as may be live at once. Discarded keys are unbounded, and a report of all of them could be megabytes. */
const MAX_KEYS_NAMED = 1_000;

const USAGE = `
  with today as materialized (
    select (bursar_now() at time zone 'UTC')::date as last
  ), span as materialized (
    select last - ($2::integer - 1) as first, last,
      (last - ($2::integer - 1))::timestamp at time zone 'UTC' as starts_at from today
  ), part as materialized (
    select day, key_id, member_id, model, endpoint, requests, failed_requests, credits_charged, input_tokens,
      output_tokens, tokens_saved, last_at
    from rollups r
    where r.org_id = $1 and r.day between (select first from span) and (select last from span)
  ), used as materialized (
    select key_id, sum(requests) as requests, sum(credits_charged) as credits_charged, max(last_at) as last_at,
      row_number() over (order by sum(credits_charged) desc, sum(requests) desc, key_id) as place
    from part group by key_id
  ), ended as (
    select request_id, created_at, endpoint, model, status, key_id as api_key_id, member_id as member_user_id,
      charged_subscription + charged_anytime as credits_charged, input_tokens, output_tokens, tokens_saved,
      latency_ms, error_code, reason
    from (
      select * from requests where org_id = $1 and request_id >= ${lowestIdOf({ gatewayMs: "$4", days: "$2" })}
      order by request_id desc limit $3::integer + ${MAX_PASSED_OVER}) newest
    where settled_at >= (select starts_at from span)
    order by request_id desc limit $3
  ), running as (
    select request_id, created_at, endpoint, model, 'processing' as status, key_id, member_id,
      0::bigint, 0::bigint, 0::bigint, 0::bigint, null::integer, null::text, null::text
    from holds where org_id = $1 and kind = 'job' order by request_id desc limit $3
  )
  select span.first::text as "from", span.last::text as "to",
    (select json_agg(row_to_json(t)) from (
      select code, sum(requests) as requests from (${refusedWithin({}, createValues())}) r group by code order by requests desc, code) t) as refusals,
    (select row_to_json(t) from (
      select coalesce(sum(requests), 0) as requests, coalesce(sum(failed_requests), 0) as failed_requests,
        coalesce(sum(credits_charged), 0) as credits_charged, coalesce(sum(input_tokens), 0) as input_tokens,
        coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(tokens_saved), 0) as tokens_saved
      from part) t) as totals,
    (select json_agg(row_to_json(t)) from (
      select (first + d)::text as date, coalesce(sum(p.requests), 0) as requests,
        coalesce(sum(p.credits_charged), 0) as credits_charged
      from generate_series(0, $2::integer - 1) d left join part p on p.day = first + d
      group by d order by d) t) as by_day,
    (select json_agg(row_to_json(t)) from (
      select model, sum(requests) as requests, sum(credits_charged) as credits_charged,
        sum(tokens_saved) as tokens_saved, min(endpoint) as endpoint
      from part group by model order by credits_charged desc, requests desc, model) t) as by_model,
    (select json_agg(row_to_json(t)) from (
      select u.key_id as api_key_id, k.name, k.last_four, u.requests, u.credits_charged,
        ${lastUseOf({ settledAt: "u.last_at", key: "k" })} as last_used_at
      from used u left join api_keys k on k.id = u.key_id where u.place <= ${MAX_KEYS_NAMED}
      order by u.place) t) as by_api_key,
    (select row_to_json(t) from (
      select null as api_key_id, null as name, null as last_four, sum(requests) as requests,
        sum(credits_charged) as credits_charged, max(last_at) as last_used_at
      from used where place > ${MAX_KEYS_NAMED} having count(*) > 0) t) as other_keys,
    (select json_agg(row_to_json(t)) from (
      select p.member_id as member_user_id, u.name, u.email, p.requests, p.credits_charged
      from (select member_id, sum(requests) as requests, sum(credits_charged) as credits_charged
        from part group by member_id) p left join "user" u on u.id = p.member_id
      order by p.credits_charged desc, p.requests desc, p.member_id) t) as by_member,
    (select json_agg(row_to_json(t)) from (
      select * from ended union all select * from running order by request_id desc limit $3) t) as requests
  from span`;

type UsageRow = Nullable<Omit<LoadedUsage, "from" | "to" | "totals">> &
  Pick<LoadedUsage, "from" | "to" | "totals"> & { readonly other_keys: ApiKeyUsage | null };

/** Loads the whole view in one statement, so that sums and lists are from the same moment. */
export async function loadUsage(
  db: Database,
  query: { orgId: string; days: number; limit: number; gatewayMs: number },
): Promise<LoadedUsage> {
  const result = await db.pool.query<UsageRow>({
    name: "usage_view",
    text: USAGE,
    values: [query.orgId, query.days, query.limit, query.gatewayMs],
  });
  const row = present(result.rows[0], "the usage of an organization");
  const keys = [...(row.by_api_key ?? []), ...(row.other_keys === null ? [] : [row.other_keys])];
  return {
    from: row.from,
    to: row.to,
    totals: row.totals,
    refusals: row.refusals ?? [],
    by_day: row.by_day ?? [],
    by_model: row.by_model ?? [],
    by_api_key: keys.map((key) => ({ ...key, last_used_at: isoTime(key.last_used_at) })),
    by_member: row.by_member ?? [],
    requests: (row.requests ?? []).map((one) => ({ ...one, created_at: isoTime(one.created_at) })),
  };
}

/** The database's JSON has microseconds and the session's offset; the API has one format. */
function isoTime(text: string): string {
  return new Date(text).toISOString();
}
