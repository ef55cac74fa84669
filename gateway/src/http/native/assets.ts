import { z } from "zod";
import { type Asset, assetUrl } from "../../assets/index.ts";
import { AppError, invalid, parseUuid } from "../../kit/index.ts";
import type { HttpDeps } from "../context.ts";
import { daysOf, UNKNOWN_CURSOR } from "../query.ts";
import { jsonReply } from "../reply.ts";
import {
  type ApiRoute,
  CURSOR_PARAMETER,
  defineRoute,
  filterParameter,
  nameSchemas,
  type RouteParameter,
  rangeParameter,
} from "../route.ts";

const assetSchema = z.strictObject({
  id: z.uuid(),
  store: z.literal("library"),
  type: z.enum(["image", "video", "audio"]),
  url: z.url().describe("Opens in any browser, without a key, for as long as the asset exists."),
  mime_type: z.string(),
  size_bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  duration_seconds: z.number().nullable(),
  model: z.string(),
  prompt: z.string().nullable(),
  request_id: z.uuid().describe("Id of the call that created it."),
  api_key_id: z.uuid(),
  member_user_id: z.uuid().nullable(),
  credits_charged: z.int().describe("Its share of what the call cost."),
  created_at: z.iso.datetime(),
});

function encodeAsset(asset: Asset, publicUrl: string): z.input<typeof assetSchema> {
  return {
    id: asset.id,
    store: "library",
    type: asset.type,
    url: assetUrl(publicUrl, asset),
    mime_type: asset.mediaType,
    size_bytes: asset.sizeBytes,
    width: asset.width,
    height: asset.height,
    duration_seconds: asset.durationMs === null ? null : asset.durationMs / 1000,
    model: asset.model,
    prompt: asset.prompt,
    request_id: asset.requestId,
    api_key_id: asset.keyId,
    member_user_id: asset.memberUserId,
    credits_charged: asset.creditsCharged,
    created_at: asset.createdAt.toISOString(),
  };
}

nameSchemas({ Asset: assetSchema });

const PATH = "/functions/v1/api-v1-assets";
const TYPES = ["image", "audio", "video"] as const;
const LIMIT = { min: 1, max: 100, fallback: 20 } as const;

const listSchema = z.strictObject({
  assets: z.array(assetSchema).describe("Newest first."),
  count: z.int().describe("Number of assets in this reply."),
  next_cursor: z.string().nullable().describe("Cursor of the next page; null on the last page."),
});

const oneSchema = z.strictObject({ asset: assetSchema });
nameSchemas({ AssetPage: listSchema, OneAsset: oneSchema });

type AssetDeps = Pick<HttpDeps, "library" | "settings">;

export function listAssetsRoute({ library, settings: { publicUrl } }: AssetDeps): ApiRoute {
  return defineRoute({
    wire: "native",
    method: "GET",
    path: PATH,
    scope: "assets",
    spends: false,
    bodyLimitBytes: null,
    docs: {
      operationId: "listAssets",
      summary: "Library",
      description:
        "Lists the assets that your organization created through the API, newest first, or returns one asset by its id.",
      parameters: [
        assetIdParameter(false, "Return this asset instead of a page."),
        rangeParameter("limit", LIMIT, "Assets per page."),
        CURSOR_PARAMETER,
        filterParameter("type", "Assets of this type.", { enum: TYPES }),
        filterParameter("model", "Assets of this model, by its id.", {}),
        filterParameter("from", "Created on this day (UTC) or later.", { format: "date" }),
        filterParameter("to", "Created on this day (UTC) or before.", { format: "date" }),
      ],
      reply: z.union([listSchema, oneSchema]),
      links: {
        next: {
          operationId: "listAssets",
          parameters: { cursor: "$response.body#/next_cursor" },
          description: "Gets the next page.",
        },
        delete: {
          operationId: "deleteAsset",
          parameters: { asset_id: "$response.body#/asset/id" },
          description: "Deletes the asset.",
        },
      },
    },
    decode: ({ query }) => ({
      assetId: query.text("asset_id"),
      limit: query.integer("limit", LIMIT),
      cursor: query.text("cursor"),
      filter: {
        type: query.oneOf("type", TYPES, undefined),
        model: query.name("model"),
        ...daysOf(query),
      },
    }),
    resolve: (fields) => fields,
    async handle({ requestId, principal: { organization } }, { assetId, limit, cursor, filter }) {
      if (assetId !== null) {
        const id = parseUuid(assetId);
        const asset = id === undefined ? null : await library.find(organization.id, id);
        if (asset === null) throw noSuchAsset();
        return jsonReply(requestId, { asset: encodeAsset(asset, publicUrl) });
      }
      const page = await library.list(organization.id, { limit, cursor, filter });
      if (page === null) throw invalid("cursor", UNKNOWN_CURSOR);
      return jsonReply(requestId, {
        assets: page.assets.map((asset) => encodeAsset(asset, publicUrl)),
        count: page.assets.length,
        next_cursor: page.nextCursor,
      });
    },
  });
}

export function deleteAssetRoute({ library }: Pick<AssetDeps, "library">): ApiRoute {
  return defineRoute({
    wire: "native",
    method: "DELETE",
    path: PATH,
    scope: "assets",
    spends: false,
    bodyLimitBytes: null,
    docs: {
      operationId: "deleteAsset",
      summary: "Delete an asset",
      description: "Deletes one asset. Its URL stops working at once, and its cost is not refunded.",
      parameters: [assetIdParameter(true, "The asset to delete.")],
      reply: z.strictObject({ deleted: z.literal(true), asset_id: z.uuid() }),
    },
    decode({ query }) {
      const assetId = query.text("asset_id");
      if (assetId === null) throw invalid("asset_id", "must be given");
      return { assetId };
    },
    resolve: (fields) => fields,
    async handle({ requestId, principal: { organization } }, { assetId }) {
      const id = parseUuid(assetId);
      if (id === undefined || !(await library.delete(organization.id, id))) throw noSuchAsset();
      return jsonReply(requestId, { deleted: true, asset_id: id });
    },
  });
}

/** One answer for malformed ids, deleted assets and those of other organizations. */
function noSuchAsset(): AppError {
  return new AppError("validation_error", "asset_id: there is no such asset", {
    status: 404,
    field: "asset_id",
  });
}

function assetIdParameter(required: boolean, description: string): RouteParameter {
  return { name: "asset_id", in: "query", required, description, schema: { type: "string" } };
}
