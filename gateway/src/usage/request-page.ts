import type { Database } from "../db/index.ts";
import { assert, parseUuid } from "../kit/index.ts";
import type { RequestRecord } from "./request-record.ts";
import { loadRequests, loadSortedRequests, type RequestsQuery, type SortedPlace } from "./requests-store.ts";

export const REQUEST_SORTS = ["time", "credits", "tokens", "latency"] as const;
type RequestSort = (typeof REQUEST_SORTS)[number];

export type RequestPageQuery = Pick<RequestsQuery, "filter" | "status" | "isAscending" | "limit"> & {
  readonly sort: RequestSort;
  /** From an earlier page in the same order. Gives no access to other organizations' calls. */
  readonly cursor: string | null;
};

export type RequestPage = {
  readonly requests: readonly RequestRecord[];
  readonly nextCursor: string | null;
  /** True if there are more calls than were scanned, so that the page may lack some that match. */
  readonly isCut: boolean;
};

const MAX_LIMIT = 1_000;

/** True if a page in this order can start at the cursor. */
export function isRequestCursor(cursor: string, sort: RequestSort): boolean {
  return sort === "time" ? parseUuid(cursor) !== undefined : decodePlace(cursor, sort) !== null;
}

export async function loadRequestPage(
  db: Database,
  { sort, cursor, ...query }: RequestPageQuery & Pick<RequestsQuery, "orgId" | "gatewayMs">,
): Promise<RequestPage> {
  assert(query.limit >= 1 && query.limit <= MAX_LIMIT, `limit out of range: ${query.limit}`);
  assert(cursor === null || isRequestCursor(cursor, sort), "a cursor that is none of ours");
  if (sort === "time") {
    const after = cursor === null ? null : (parseUuid(cursor) ?? null);
    const { requests, stoppedAt } = await loadRequests(db, { ...query, after });
    return { requests, nextCursor: stoppedAt, isCut: stoppedAt !== null && requests.length < query.limit };
  }
  const after = cursor === null ? null : decodePlace(cursor, sort);
  const { requests, next, isCut } = await loadSortedRequests(db, { ...query, sort, after });
  return { requests, nextCursor: next && encodePlace(next, sort), isCut };
}

/** The position where a sorted page ended: `sort.value.id.newest id`. */
function encodePlace({ value, requestId, newestId }: SortedPlace, sort: RequestSort): string {
  return `${sort}.${value}.${requestId}.${newestId}`;
}

function decodePlace(cursor: string, sort: RequestSort): SortedPlace | null {
  const [sorted, value = "", id = "", newest = "", ...more] = cursor.split(".");
  const requestId = parseUuid(id);
  const newestId = parseUuid(newest);
  if (sorted !== sort || more.length > 0 || !/^-?\d{1,15}$/.test(value)) return null;
  if (requestId === undefined || newestId === undefined) return null;
  return { value: Number(value), requestId, newestId };
}
