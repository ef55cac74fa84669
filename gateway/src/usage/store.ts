import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";
import type { BalanceView, LedgerEntryView } from "./balance-view.ts";
import { filterConditions, type UsageFilter } from "./filter-store.ts";
import { lastUseOf } from "./key-spend-store.ts";
import { type RefusalSum, refusedWithin } from "./refusal-store.ts";
import type { RequestStatus } from "./request-record.ts";
import { prepareRequests } from "./requests-store.ts";
import type {
  ApiKeyUsage,
  DayUsage,
  MemberUsage,
  ModelUsage,
  RequestView,
  UsageSummary,
} from "./usage-view.ts";

type BalanceRow = Omit<BalanceView["balance"], "subscription_credits_expire_at"> & {
  isDue: boolean;
  period_end: Date | null;
  ledger: LedgerEntryView[];
};

// Account and entries come from one snapshot: the balance after the newest entry always matches the balance shown.
const BALANCE = `
  select a.subscription_available::float8 as subscription_credits, a.anytime_available::float8 as anytime_credits,
    (a.subscription_available + a.anytime_available)::float8 as total_credits,
    (a.subscription_held + a.anytime_held)::float8 as held_credits, a.period_end,
    coalesce(a.period_end <= bursar_now() and time_is_believed($3), false) as "isDue",
    (select coalesce(json_agg(row_to_json(e)), '[]') from (
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
  const { isDue, period_end, ledger, ...sums } = row;
  return {
    isDue,
    view: {
      balance: { ...sums, subscription_credits_expire_at: period_end?.toISOString() ?? null },
      recent_ledger: ledger.map((entry) => ({ ...entry, created_at: isoTime(entry.created_at) })),
    },
  };
}

/** Records the expiry of a period that has ended; the result is not needed. */
export async function expirePeriod(db: Database, orgId: string): Promise<void> {
  await db.pool.query("select org_id from ledger_account(expecting($2, $1)::uuid)", [orgId, db.time.text()]);
}

type NotTotals = "from" | "to" | "days" | "by_day" | "by_model" | "refused_requests" | "refusals_by_code";

type LoadedUsage = {
  readonly from: string;
  readonly to: string;
  readonly totals: Omit<UsageSummary, NotTotals>;
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
  /** The last request that was looked at if there may be more; null if there is none. */
  readonly stoppedAt: string | null;
};

/** As many as may be live at once. Discarded keys are unbounded, and a report of all of them could be megabytes. */
const MAX_KEYS_NAMED = 1_000;

/** Organization, lowest id, limit, and the days. */
const UNFILTERED_VALUES = 6;

type Parts = {
  readonly span: string;
  readonly conditions: string;
  readonly refused: string;
  readonly page: string;
};

/** Millionths of a credit as credits, to a hundredth. */
const inCredits = (micros: string) => `trunc(${micros} / 1000000, 2)`;

const usageOf = ({ span, conditions, refused, page }: Parts) => `
  with span as materialized (${span}), part as materialized (
    select day, key_id, member_id, model, endpoint, requests, failed_requests, credits_charged, input_tokens,
      output_tokens, tokens_saved, last_at, cache_read_tokens, cache_written_tokens, cache_saved
    from rollups r
    where r.org_id = $1 and r.day between (select first from span) and (select last from span)
      ${conditions}
  ), used as materialized (
    select key_id, sum(requests) as requests, sum(credits_charged) as credits_charged, max(last_at) as last_at,
      sum(cache_saved) as cache_saved, row_number() over (order by sum(credits_charged) desc, sum(requests) desc, key_id) as place
    from part group by key_id
  )
  select span.first::text as "from", span.last::text as "to",
    (select coalesce(json_agg(row_to_json(t)), '[]') from (
      select code, sum(requests) as requests from (${refused}) r group by code order by requests desc, code) t) as refusals,
    (select row_to_json(t) from (
      select coalesce(sum(requests), 0) as requests, coalesce(sum(failed_requests), 0) as failed_requests,
        coalesce(sum(credits_charged), 0) as credits_charged, coalesce(sum(input_tokens), 0) as input_tokens,
        coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(tokens_saved), 0) as tokens_saved,
        json_build_object('read_tokens', coalesce(sum(cache_read_tokens), 0),
          'written_tokens', coalesce(sum(cache_written_tokens), 0),
          'saved_credits', ${inCredits("coalesce(sum(cache_saved), 0)")}) as cache
      from part) t) as totals,
    (select coalesce(json_agg(row_to_json(t)), '[]') from (
      select (first + d)::text as date, coalesce(sum(p.requests), 0) as requests,
        coalesce(sum(p.credits_charged), 0) as credits_charged
      from generate_series(0, last - first) d left join part p on p.day = first + d
      group by d order by d) t) as by_day,
    (select coalesce(json_agg(row_to_json(t)), '[]') from (
      select model, sum(requests) as requests, sum(credits_charged) as credits_charged,
        sum(tokens_saved) as tokens_saved, min(endpoint) as endpoint,
        ${inCredits("sum(cache_saved)")} as cache_saved_credits
      from part group by model order by credits_charged desc, requests desc, model) t) as by_model,
    (select coalesce(json_agg(row_to_json(t)), '[]') from (
      select u.key_id as api_key_id, k.name, k.last_four, u.requests, u.credits_charged,
        ${lastUseOf({ settledAt: "u.last_at", key: "k" })} as last_used_at,
        ${inCredits("u.cache_saved")} as cache_saved_credits
      from used u left join api_keys k on k.id = u.key_id where u.place <= ${MAX_KEYS_NAMED}
      order by u.place) t) as by_api_key,
    (select row_to_json(t) from (
      select null as api_key_id, null as name, null as last_four, sum(requests) as requests,
        sum(credits_charged) as credits_charged, max(last_at) as last_used_at,
        ${inCredits("sum(cache_saved)")} as cache_saved_credits
      from used where place > ${MAX_KEYS_NAMED} having count(*) > 0) t) as other_keys,
    (select coalesce(json_agg(row_to_json(t)), '[]') from (
      select p.member_id as member_user_id, u.name, u.email, p.requests, p.credits_charged
      from (select member_id, sum(requests) as requests, sum(credits_charged) as credits_charged
        from part group by member_id) p left join "user" u on u.id = p.member_id
      order by p.credits_charged desc, p.requests desc, p.member_id) t) as by_member,
    (select coalesce(json_agg(row_to_json(t)), '[]') from (
      select request_id, created_at, endpoint, model, status, input_tokens, output_tokens, tokens_saved, latency_ms,
        error_code, reason, key_id as api_key_id, member_id as member_user_id, credits as credits_charged
      from (${page}) q) t) as requests
  from span`;

type UsageRow = Omit<LoadedUsage, "stoppedAt"> & { readonly other_keys: ApiKeyUsage | null };

type UsageQuery = {
  readonly orgId: string;
  /** Restricts sums and requests alike. */
  readonly filter: UsageFilter;
  /** Restricts the requests only: sums are not kept by status. */
  readonly status: RequestStatus | null;
  readonly limit: number;
  /** The last request of the page before. */
  readonly after: string | null;
  readonly gatewayMs: number;
};

/** Loads the whole view in one statement, so that sums and lists are from the same moment. */
export async function loadUsage(db: Database, query: UsageQuery): Promise<LoadedUsage> {
  // One more than requested shows whether there is a next page.
  const asked = { ...query, limit: query.limit + 1, isAscending: false };
  const { values, span, page, endOf } = await prepareRequests(db, asked);
  const conditions = filterConditions(query.filter, values).map((condition) => `and ${condition}`);
  const refused = refusedWithin(query.filter, values);
  const text = usageOf({ span, conditions: conditions.join(" "), refused, page });
  const result = await db.pool.query<UsageRow>({
    // Planned once per connection, since it is large. Any filter would make it another text.
    ...(values.all.length === UNFILTERED_VALUES ? { name: "usage_view" } : {}),
    text,
    values: values.all,
  });
  const { other_keys, requests, ...sums } = present(result.rows[0], "the usage of an organization");
  const keys = other_keys === null ? sums.by_api_key : [...sums.by_api_key, other_keys];
  const { rows, stoppedAt } = await endOf(requests, ({ request_id }) => request_id);
  const shown = rows.slice(0, query.limit);
  return {
    ...sums,
    by_api_key: keys.map((key) => ({ ...key, last_used_at: isoTime(key.last_used_at) })),
    requests: shown.map((request) => ({ ...request, created_at: isoTime(request.created_at) })),
    stoppedAt: rows.length > shown.length ? (shown.at(-1)?.request_id ?? null) : stoppedAt,
  };
}

/** The database's JSON has microseconds and the session's offset; the API has one format. */
function isoTime(text: string): string {
  return new Date(text).toISOString();
}
