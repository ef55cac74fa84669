import { z } from "zod";
import { DAY_MS, invalid } from "../../kit/index.ts";
import { MAX_DAYS, REQUEST_STATUSES } from "../../usage/index.ts";
import type { HttpDeps } from "../context.ts";
import { daysOf, type Query, UNKNOWN_CURSOR } from "../query.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, CURSOR_PARAMETER, defineRoute, filterParameter, rangeParameter } from "../route.ts";
import { balanceViewSchema, usageViewSchema } from "./usage-schema.ts";

const VIEWS = ["balance", "usage"] as const;
const DAYS = { min: 1, max: MAX_DAYS, fallback: 30 } as const;
const LIMIT = { min: 1, max: 200, fallback: 50 } as const;

type UsageDeps = Pick<HttpDeps, "usage" | "usageCursors">;

export function usageRoute({ usage, usageCursors }: UsageDeps): ApiRoute {
  return defineRoute({
    wire: "native",
    method: "GET",
    path: "/functions/v1/api-v1-usage",
    scope: "usage",
    spends: false,
    bodyLimitBytes: null,
    docs: {
      operationId: "getUsage",
      summary: "Balance and usage",
      description: "The balance view shows what can be spent; the usage view shows where credits went.",
      parameters: [
        {
          name: "view",
          in: "query",
          required: false,
          description: "Which view.",
          schema: { type: "string", enum: VIEWS, default: "usage" },
        },
        rangeParameter(
          "days",
          DAYS,
          "Days of the usage view up to `to`, in UTC. Not used if `from` is given.",
        ),
        rangeParameter("limit", LIMIT, "Ledger entries or requests, newest first."),
        CURSOR_PARAMETER,
        filterParameter("from", "First day of the usage view, in UTC.", { format: "date" }),
        filterParameter("to", "Last day, at most 90 days from the first; today if absent.", {
          format: "date",
        }),
        filterParameter("api_key_id", "Usage of this key.", { format: "uuid" }),
        filterParameter("member_user_id", "Usage of this member.", { format: "uuid" }),
        filterParameter("model", "Usage of this model, by its id.", {}),
        filterParameter("status", "Requests that ended like this; sums stay those of all.", {
          enum: REQUEST_STATUSES,
        }),
      ],
      reply: z.union([usageViewSchema, balanceViewSchema]),
    },
    decode: ({ query }) => ({
      view: query.oneOf("view", VIEWS, "usage"),
      days: query.integer("days", DAYS),
      limit: query.integer("limit", LIMIT),
      cursor: query.text("cursor"),
      status: query.oneOf("status", REQUEST_STATUSES, undefined),
      filter: {
        ...reportDaysOf(query),
        keyId: query.uuid("api_key_id"),
        memberId: query.uuid("member_user_id"),
        model: query.name("model"),
      },
    }),
    resolve: (fields) => fields,
    async handle(call, { view, days, limit, cursor, status, filter }) {
      const { organization } = call.principal;
      if (view === "balance")
        return jsonReply(call.requestId, await usage.balanceView(organization, { limit }));
      const owner = [organization.id, status ?? null, filter];
      const after = cursor === null ? undefined : usageCursors.decode(owner, cursor);
      if (after === null) throw invalid("cursor", UNKNOWN_CURSOR);
      const found = await usage.usageView(organization, { days, limit, status, after, ...filter });
      const { next_cursor } = found;
      return jsonReply(call.requestId, {
        ...found,
        next_cursor: next_cursor && usageCursors.encode(owner, next_cursor),
      });
    },
  });
}

function reportDaysOf(query: Query): ReturnType<typeof daysOf> {
  const days = daysOf(query);
  const { from, to } = days;
  if (from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY_MS)
    throw invalid("from", `must be at most ${MAX_DAYS} days before the end of to`);
  return days;
}
