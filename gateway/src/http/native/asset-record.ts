import { z } from "zod";
import { type Asset, assetUrl } from "../../assets/index.ts";
import { nameSchemas } from "../route.ts";

export const assetSchema = z.strictObject({
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

export function encodeAsset(asset: Asset, publicUrl: string): z.input<typeof assetSchema> {
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
