import { z } from "zod";
import {
  MAX_DAYS,
  REQUEST_SORTS,
  REQUEST_STATUSES,
  type RequestPageQuery,
  type UsageFilter,
} from "../../../usage/index.ts";
import type { UsageFilter as AskedFilter, RequestFilter } from "../contract.ts";
import { onlyMemberOf, type Viewer } from "../viewer.ts";

const MAX_NAME_CHARS = 200;
const UNATTRIBUTED = "none";

export const usageFilterFields = {
  days: z.int().min(1).max(MAX_DAYS),
  model: z.string().max(MAX_NAME_CHARS).optional(),
  keyId: z.guid().optional(),
  memberId: z.union([z.literal(UNATTRIBUTED), z.guid()]).optional(),
  endpoint: z.string().max(MAX_NAME_CHARS).optional(),
};

export const requestFilterFields = {
  ...usageFilterFields,
  status: z.enum(REQUEST_STATUSES).optional(),
  sort: z.enum(REQUEST_SORTS).optional(),
  order: z.enum(["down", "up"]).optional(),
};

/** The requested filter, limited to what the viewer may see. */
export function filterFor(viewer: Viewer, { memberId, keyId, ...asked }: AskedFilter): UsageFilter {
  const own = onlyMemberOf(viewer);
  const { days, model, endpoint } = asked;
  if (own !== null) return { days, model, endpoint, memberId: own };
  return { days, model, endpoint, keyId, memberId: memberId === UNATTRIBUTED ? null : memberId };
}

export function requestQueryFor(
  viewer: Viewer,
  asked: RequestFilter,
): Omit<RequestPageQuery, "limit" | "cursor"> {
  return {
    filter: filterFor(viewer, asked),
    status: asked.status ?? null,
    sort: asked.sort ?? "time",
    isAscending: asked.order === "up",
  };
}
