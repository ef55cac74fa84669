import type { Database } from "../db/index.ts";
import { MINUTE_MS, present } from "../kit/index.ts";
import { createValues, filterConditions, spanOf, type UsageFilter, type Values } from "./filter-store.ts";
import type { RequestRecord, RequestStatus } from "./request-record.ts";
import { ENDED_COLUMNS, RECORD_COLUMNS, RUNNING_COLUMNS } from "./request-row-store.ts";

/**
 * A call that ends today may have begun yesterday: a video job lives for at most an hour, and gateways' clocks differ a
 * little.
 */
const LONGEST_CALL = "interval '90 minutes'";

/**
 * Request ids carry the time of the gateway that made them, rows that of the database, and either clock may be wrong.
 * So the range of ids to scan starts by the clock that is behind and ends by the one that is ahead. The range only
 * bounds what is read; the database's time decides which rows are shown. An id may also come from a third machine,
 * whose clock we do not know: if it is off by more than `LONGEST_CALL` allows for, its calls may be missed.
 */
function lowestIdOf({ gatewayMs, days }: { gatewayMs: string; days: string }): string {
  return `(select id_at(greatest('epoch'::timestamptz, least(bursar_now(), ${timeOf(gatewayMs)})
    - ${days}::integer * interval '1 day' - ${LONGEST_CALL})))`;
}

/** How far ids may be ahead of the database's clock. */
function aheadOf(gatewayMs: string): string {
  return `greatest(interval '0', ${timeOf(gatewayMs)} - bursar_now())`;
}

function timeOf(gatewayMs: string): string {
  return `to_timestamp(${gatewayMs}::double precision / 1000)`;
}

export type RequestsQuery = {
  readonly orgId: string;
  readonly filter: UsageFilter;
  readonly status: RequestStatus | null;
  readonly isAscending: boolean;
  readonly limit: number;
  /** Time by the gateway's clock, which new ids carry. */
  readonly gatewayMs: number;
};

type LoadedRequests = {
  readonly requests: readonly RequestRecord[];
  /** The last id scanned if the limit was reached; null if everything was scanned. */
  readonly stoppedAt: string | null;
};

/**
 * Most rows that one page scans if few of them match. They are read by primary key: an index by model, key or member
 * would have to be updated by every paid call.
 */
const MAX_LOOKED_AT = 20_000;
/** How far the gateway's clock, which ids carry, may be ahead of the database's. */
const CLOCK_SLACK_MS = 5 * MINUTE_MS;

/** In order of time, starting after `after`. */
export async function loadRequests(
  db: Database,
  query: RequestsQuery & { readonly after: string | null },
): Promise<LoadedRequests> {
  const { values, span, page, direction, endOf } = await prepareRequests(db, query);
  const { rows } = await db.pool.query<RequestRecord>(
    `with span as materialized (${span})
    select ${RECORD_COLUMNS} from (${page}) q order by request_id ${direction}`,
    values.all,
  );
  const ended = await endOf(rows, ({ requestId }) => requestId);
  return { requests: ended.rows, stoppedAt: ended.stoppedAt };
}

/**
 * A page in order of time, for a statement that has `span` and these values, of which `$1` is the organization. `endOf`
 * says where it ended, and leaves out what belongs to the page after it.
 */
export async function prepareRequests(
  db: Database,
  query: RequestsQuery & { readonly after: string | null },
) {
  const { orgId, limit, after, isAscending } = query;
  const { lowestId, newestId } = await loadIdBounds(db, query);
  const values = createValues(orgId, lowestId, limit);
  const span = spanOf(query.filter, values);
  const bounds = { newestId, [isAscending ? "above" : "below"]: after };
  const range = rangeOf(values, bounds);
  const direction = isAscending ? "asc" : "desc";
  const page = `select * from (${endedOf(query, { values, range, limit: "$3" })}) ended
    union all select * from (${runningOf(query, { values, range, limit: "$3" })}) running
    order by request_id ${direction} limit $3`;

  async function endOf<Row>(rows: readonly Row[], idOf: (row: Row) => string) {
    const last = rows.at(-1);
    if (last !== undefined && rows.length === limit) return { rows, stoppedAt: idOf(last) };
    const stoppedAt = await loadStop(db, query, { lowestId, ...bounds });
    if (stoppedAt === null) return { rows, stoppedAt };
    // Jobs beyond it belong to the page that continues from there.
    const isBefore = (id: string) => (isAscending ? id <= stoppedAt : id >= stoppedAt);
    return { rows: rows.filter((row) => isBefore(idOf(row))), stoppedAt };
  }
  return { values, span, page, direction, endOf };
}

const SORTED_BY = {
  credits: "credits",
  tokens: "input_tokens + output_tokens",
  latency: "coalesce(latency_ms, -1)",
} as const;

/** Where a sorted page ends. `newestId` limits later pages to calls that existed when the first page was read. */
export type SortedPlace = {
  readonly value: number;
  readonly requestId: string;
  readonly newestId: string;
};

/** When sorting by anything but time, at most this many of the newest matching calls are considered. */
const MAX_SORTED = 5_000;

export async function loadSortedRequests(
  db: Database,
  query: RequestsQuery & { readonly sort: keyof typeof SORTED_BY; readonly after: SortedPlace | null },
): Promise<{ requests: readonly RequestRecord[]; isCut: boolean; next: SortedPlace | null }> {
  const { orgId, after, limit } = query;
  const newestFirst = { ...query, isAscending: false };
  const { lowestId, ...bounds } = await loadIdBounds(db, newestFirst);
  const newestId = after?.newestId ?? bounds.newestId;
  const values = createValues(orgId, lowestId, limit);
  const span = spanOf(query.filter, values);
  const range = rangeOf(values, { newestId });
  const [direction, beyond] = query.isAscending ? ["asc", ">"] : ["desc", "<"];
  const from = after
    ? `where (value, request_id) ${beyond} (${values.add(after.value)}::bigint, ${values.add(after.requestId)}::uuid)`
    : "";
  const bound = { values, range, limit: String(MAX_SORTED) };
  const { rows } = await db.pool.query<RequestRecord & { value: number; newest: string; matched: number }>(
    `with span as materialized (${span}), matching as materialized (
      select *, (${SORTED_BY[query.sort]})::bigint as value from (
        select * from (${endedOf(newestFirst, bound)}) ended
        union all select * from (${runningOf(newestFirst, bound)}) running) both_of_them)
    select ${RECORD_COLUMNS}, q.value::float8 as value, (select count(*)::integer from matching) as matched,
      (select request_id from matching order by request_id desc limit 1) as newest
    from (select * from matching ${from} order by value ${direction}, request_id ${direction} limit $3) q
    order by value ${direction}, request_id ${direction}`,
    values.all,
  );
  const last = rows.at(-1);
  const stop = await loadStop(db, newestFirst, { lowestId, newestId });
  return {
    requests: rows.map(({ value: _, newest: _newest, matched: _matched, ...request }) => request),
    isCut: stop !== null || (last?.matched ?? 0) >= MAX_SORTED,
    next:
      last && rows.length === limit
        ? { value: last.value, requestId: last.requestId, newestId: newestId ?? last.newest }
        : null,
  };
}

/** Bounds of ids besides the lowest; null or absent if there is none. `newestId` is inclusive. */
type Range = {
  readonly newestId: string | null;
  readonly below?: string | null;
  readonly above?: string | null;
};

function rangeOf(values: Values, { newestId, below, above }: Range): string {
  return [
    newestId ? `and request_id <= ${values.add(newestId)}::uuid` : "",
    below ? `and request_id < ${values.add(below)}::uuid` : "",
    above ? `and request_id > ${values.add(above)}::uuid` : "",
  ].join(" ");
}

type Part = { readonly values: Values; readonly range: string; readonly limit: string };

/** The inner limit bounds the rows read; the outer one stops as soon as the page is full. */
function endedOf({ filter, status, isAscending }: RequestsQuery, { values, range, limit }: Part): string {
  const direction = isAscending ? "asc" : "desc";
  const conditions = filterConditions(filter, values);
  if (status !== null) conditions.push(`status = ${values.add(status)}`);
  return `select ${ENDED_COLUMNS} from (
      select * from requests where org_id = $1 and request_id >= $2::uuid ${range}
      order by request_id ${direction} limit ${MAX_LOOKED_AT}) looked_at
    where settled_at >= (select first::timestamp at time zone 'UTC' from span)
      and settled_at < (select (last + 1)::timestamp at time zone 'UTC' from span)
      ${conditions.map((condition) => `and ${condition}`).join(" ")}
    order by request_id ${direction} limit ${limit}`;
}

/** Bounded by the number of jobs that may run at once. */
function runningOf({ filter, status, isAscending }: RequestsQuery, { values, range, limit }: Part): string {
  const conditions = filterConditions(filter, values).map((condition) => `and ${condition}`);
  const isWanted = status === null || status === "processing";
  return `select ${RUNNING_COLUMNS} from holds
    where org_id = $1 and request_id >= $2::uuid ${range} and kind = 'job' and ${isWanted}
      and (select last = today from span) ${conditions.join(" ")}
    order by request_id ${isAscending ? "asc" : "desc"} limit ${limit}`;
}

/** Null if everything was scanned before the limit was reached. */
async function loadStop(
  db: Database,
  query: RequestsQuery,
  { lowestId, ...bounds }: Range & { readonly lowestId: string },
): Promise<string | null> {
  const values = createValues(query.orgId, lowestId);
  const { rows } = await db.pool.query<{ request_id: string }>(
    `select request_id from requests where org_id = $1 and request_id >= $2::uuid ${rangeOf(values, bounds)}
     order by request_id ${query.isAscending ? "asc" : "desc"} offset ${MAX_LOOKED_AT - 1} limit 1`,
    values.all,
  );
  return rows[0]?.request_id ?? null;
}

/**
 * No call that ended within the days has an id below `lowestId`. The rollups know when a filter last matched, so a page
 * starts at the newest id that such a call, or a running job, may have, instead of scanning everybody else's calls
 * since. `newestId` is null without a filter, and an id below all others if nothing matches and no job runs. Loaded by
 * a separate query: as parameters, the bounds let the planner see how little there is to read.
 */
async function loadIdBounds(
  db: Database,
  { orgId, filter, gatewayMs }: RequestsQuery,
): Promise<{ lowestId: string; newestId: string | null }> {
  const values = createValues(gatewayMs);
  const span = `with span as materialized (${spanOf(filter, values)})`;
  const lowest = lowestIdOf({ gatewayMs: "$1", days: "(select today - first + 1 from span)" });
  const conditions = filterConditions(filter, values);
  if (conditions.length === 0 && filter.from === undefined && filter.to === undefined) {
    const { rows } = await db.pool.query<{ lowest: string }>(
      `${span} select ${lowest} as lowest`,
      values.all,
    );
    return { lowestId: present(rows[0], "the bounds of ids").lowest, newestId: null };
  }
  const [org, slack] = [values.add(orgId), values.add(CLOCK_SLACK_MS)];
  const { rows } = await db.pool.query<{ lowest: string; newest: string | null }>(
    `${span} select ${lowest} as lowest,
       id_at(greatest(max(last_at), (select max(created_at) from holds, span
           where org_id = ${org} and kind = 'job' and last = today))
         + ${slack}::integer * interval '1 ms' + ${aheadOf("$1")}) as newest
     from rollups where org_id = ${org} and day between (select first from span) and (select last from span)
       ${conditions.map((condition) => `and ${condition}`).join(" ")}`,
    values.all,
  );
  const { lowest: lowestId, newest } = present(rows[0], "the bounds of ids");
  return { lowestId, newestId: newest ?? NOBODYS_ID };
}

const NOBODYS_ID = "00000000-0000-0000-0000-000000000000";
