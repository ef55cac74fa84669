import type { Database } from "../db/index.ts";
import { assert, parseUuid } from "../kit/index.ts";
import type { RequestRecord } from "./request-record.ts";
import { loadRequests, loadSortedRequests, type RequestsQuery, type SortedPlace } from "./requests-store.ts";

export const REQUEST_SORTS = ["time", "credits", "tokens", "latency"] as const;
export type RequestSort = (typeof REQUEST_SORTS)[number];

export type RequestPageQuery = Pick<RequestsQuery, "filter" | "status" | "isAscending" | "limit"> & {
  readonly sort: RequestSort;
  /** Of a page before; one that was altered begins anew, since it opens nothing that is not the organization's. */
  readonly cursor: string | null;
};

export type RequestPage = {
  readonly requests: readonly RequestRecord[];
  readonly nextCursor: string | null;
  /** There are more calls than were looked at: the page may lack some that match. */
  readonly isCut: boolean;
};

const MAX_LIMIT = 1_000;

export async function loadRequestPage(
  db: Database,
  { sort, cursor, ...query }: RequestPageQuery & Pick<RequestsQuery, "orgId" | "gatewayMs">,
): Promise<RequestPage> {
  assert(query.limit >= 1 && query.limit <= MAX_LIMIT, `limit out of range: ${query.limit}`);
  if (sort === "time") {
    const after = cursor === null ? null : (parseUuid(cursor) ?? null);
    const { requests, stoppedAt } = await loadRequests(db, { ...query, after });
    return { requests, nextCursor: stoppedAt, isCut: stoppedAt !== null && requests.length < query.limit };
  }
  const after = decodePlace(cursor);
  const { requests, next, isCut } = await loadSortedRequests(db, { ...query, sort, after });
  return { requests, nextCursor: next && encodePlace(next), isCut };
}

/** Where a sorted page ended: `value.id.newest id`. */
function encodePlace({ value, requestId, newestId }: SortedPlace): string {
  return `${value}.${requestId}.${newestId}`;
}

function decodePlace(cursor: string | null): SortedPlace | null {
  const [value, id, newest] = cursor?.split(".") ?? [];
  const requestId = parseUuid(id ?? "");
  const newestId = parseUuid(newest ?? "");
  if (!/^-?\d{1,15}$/.test(value ?? "") || requestId === undefined || newestId === undefined) return null;
  return { value: Number(value), requestId, newestId };
}
