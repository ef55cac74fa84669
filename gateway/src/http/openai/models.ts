import { z } from "zod";
import { type Catalog, type Model, type Viewer, visibleAliases, visibleModels } from "../../catalog/index.ts";
import type { HttpDeps } from "../context.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute, nameSchemas } from "../route.ts";
import { unknownModel } from "../served-model.ts";

/** The wire requires a creation time, which means nothing here: a constant, so that lists compare equal. */
const CREATED_AT_SECONDS = Date.UTC(2026, 0, 1) / 1000;

const modelSchema = z.strictObject({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
});

nameSchemas({ CompatibleModel: modelSchema });

const listSchema = z.strictObject({ object: z.literal("list"), data: z.array(modelSchema) });

type ListedModel = z.output<typeof modelSchema>;

export function listModelsRoute({ catalog }: Pick<HttpDeps, "catalog">): ApiRoute {
  return defineRoute({
    wire: "openai",
    method: "GET",
    path: "/v1/models",
    scope: "any",
    spends: false,
    bodyLimitBytes: null,
    docs: {
      operationId: "listCompatibleModels",
      summary: "Models and aliases",
      description: "Lists every model and alias that your organization can call.",
      reply: listSchema,
    },
    decode: () => null,
    resolve: (_, { organization }) => [...listed(catalog, organization).values()],
    handle: ({ requestId }, data) => jsonReply(requestId, { object: "list", data }),
  });
}

export function getModelRoute({ catalog }: Pick<HttpDeps, "catalog">): ApiRoute {
  return defineRoute({
    wire: "openai",
    method: "GET",
    // Ids may contain a slash, and not every client escapes it.
    path: "/v1/models/:model{.+}",
    scope: "any",
    spends: false,
    bodyLimitBytes: null,
    docs: {
      operationId: "getCompatibleModel",
      summary: "One model or alias",
      description:
        "Returns one model or alias. A model that does not exist and one that is hidden give the same answer.",
      parameters: [
        {
          name: "model",
          in: "path",
          required: true,
          description: "Id or alias.",
          schema: { type: "string" },
        },
      ],
      reply: modelSchema,
    },
    decode: ({ pathParams }) => pathParams["model"] ?? "",
    resolve(id, { organization }) {
      const model = listed(catalog, organization).get(id);
      if (model) return model;
      throw unknownModel(id, "/v1/models");
    },
    handle: ({ requestId }, model) => jsonReply(requestId, model),
  });
}

function listed(catalog: Catalog, organization: Viewer): ReadonlyMap<string, ListedModel> {
  const entries = new Map<string, ListedModel>();
  for (const model of visibleModels({ catalog, organization })) entries.set(model.id, entry(model.id, model));
  for (const [alias, model] of visibleAliases({ catalog, organization }))
    entries.set(alias, entry(alias, model));
  return entries;
}

function entry(id: string, model: Model): ListedModel {
  return { id, object: "model", created: CREATED_AT_SECONDS, owned_by: model.provider };
}
