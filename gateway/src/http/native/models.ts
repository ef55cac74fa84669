import { z } from "zod";
import { listModels, MODEL_TYPES } from "../../catalog/index.ts";
import type { HttpDeps } from "../context.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute, nameSchemas } from "../route.ts";

const modelSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.enum(MODEL_TYPES),
  provider: z.string(),
  credits_per_request: z.int().describe("The minimum that a call costs."),
  aliases: z.array(z.string()).describe("Aliases that currently resolve to this model."),
  description: z.string().nullable(),
  price: z.record(z.string(), z.unknown()).describe("The price rule, in credits."),
  limits: z.record(z.string(), z.unknown()),
  capabilities: z.array(z.string()),
});

nameSchemas({ Model: modelSchema });

const replySchema = z.strictObject({
  request_id: z.uuid(),
  org_id: z.uuid(),
  org_plan: z.string(),
  models: z.array(modelSchema),
  count: z.int(),
});

export function modelsRoute({ catalog }: Pick<HttpDeps, "catalog">): ApiRoute {
  return defineRoute({
    wire: "native",
    method: "GET",
    path: "/functions/v1/api-v1-models",
    scope: "usage",
    spends: false,
    bodyLimitBytes: null,
    docs: {
      operationId: "listModels",
      summary: "Models",
      description: "Lists exactly the models that your organization can call.",
      parameters: [
        {
          name: "type",
          in: "query",
          required: false,
          description: "Only models of this type.",
          schema: { type: "string", enum: MODEL_TYPES },
        },
      ],
      reply: replySchema,
    },
    decode: ({ query }) => ({ type: query.oneOf("type", MODEL_TYPES, undefined) }),
    resolve: (fields) => fields,
    handle({ requestId, principal: { organization } }, { type }) {
      const models = listModels(
        type === undefined ? { catalog, organization } : { catalog, organization, type },
      );
      return jsonReply(requestId, {
        request_id: requestId,
        org_id: organization.id,
        org_plan: organization.plan,
        models,
        count: models.length,
      });
    },
  });
}
