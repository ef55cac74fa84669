import { z } from "zod";
import { isRequestCursor } from "../../../usage/index.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Query } from "./operation.ts";
import { invalidInput } from "./problem.ts";
import { requestFilterFields, requestQueryFor } from "./usage-filter.ts";
import { requestRowOf } from "./usage-view.ts";

const USUAL_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_CURSOR_CHARS = 200;

export function requestsQuery({ usage }: ConsoleParts): Query<"requests"> {
  return {
    who: "member",
    input: z.strictObject({
      ...requestFilterFields,
      cursor: z.string().max(MAX_CURSOR_CHARS).optional(),
      limit: z.int().min(1).max(MAX_LIMIT).optional(),
    }),
    async run({ viewer }, { cursor, limit = USUAL_LIMIT, ...asked }) {
      const query = requestQueryFor(viewer, asked);
      if (cursor !== undefined && !isRequestCursor(cursor, query.sort)) {
        throw invalidInput("cursor", "This page link is no longer valid. Reload the list.");
      }
      const { requests, nextCursor, isCut } = await usage.requests(viewer.organization.id, {
        ...query,
        limit,
        cursor: cursor ?? null,
      });
      return { rows: requests.map((record) => requestRowOf(viewer, record)), nextCursor, isCut };
    },
  };
}
