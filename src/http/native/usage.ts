import { z } from "zod";
import type { HttpDeps } from "../context.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute, rangeParameter } from "../route.ts";
import { balanceViewSchema, usageViewSchema } from "./usage-schema.ts";

const VIEWS = ["balance", "usage"] as const;
const DAYS = { min: 1, max: 90, fallback: 30 } as const;
const LIMIT = { min: 1, max: 200, fallback: 50 } as const;

export function usageRoute({ usage }: Pick<HttpDeps, "usage">): ApiRoute {
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
        rangeParameter("days", DAYS, "Days of the usage view, today included, in UTC."),
        rangeParameter("limit", LIMIT, "Ledger entries or requests, newest first."),
      ],
      reply: z.union([usageViewSchema, balanceViewSchema]),
    },
    decode: ({ query }) => ({
      view: query.oneOf("view", VIEWS, "usage"),
      days: query.integer("days", DAYS),
      limit: query.integer("limit", LIMIT),
    }),
    resolve: (fields) => fields,
    async handle({ requestId, principal: { organization } }, { view, days, limit }) {
      const reply =
        view === "balance"
          ? await usage.balanceView(organization, { limit })
          : await usage.usageView(organization, { days, limit });
      return jsonReply(requestId, reply);
    },
  });
}
