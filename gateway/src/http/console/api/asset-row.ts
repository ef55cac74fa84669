import { type Asset, assetUrl } from "../../../assets/index.ts";
import type { AssetRow } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import { maySee, type Viewer } from "../viewer.ts";

/** Rows with the names of who made them, which also determines who may delete them. */
export async function assetRowsOf(
  parts: ConsoleParts,
  viewer: Viewer,
  assets: readonly Asset[],
): Promise<AssetRow[]> {
  const makers = new Set(assets.flatMap(({ memberUserId }) => memberUserId ?? []));
  const names = await parts.identity.people.namesOf([...makers]);
  return assets.map((asset) => ({
    id: asset.id,
    type: asset.type,
    url: assetUrl(parts.config.publicUrl, asset),
    mimeType: asset.mediaType,
    sizeBytes: asset.sizeBytes,
    width: asset.width,
    height: asset.height,
    durationSeconds: asset.durationMs === null ? null : asset.durationMs / 1000,
    model: asset.model,
    prompt: asset.prompt,
    requestId: asset.requestId,
    memberName: asset.memberUserId === null ? null : (names.get(asset.memberUserId) ?? null),
    credits: asset.creditsCharged,
    createdAt: asset.createdAt.toISOString(),
    mayDelete: maySee(viewer, asset.memberUserId),
  }));
}
