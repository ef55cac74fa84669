import type { Asset, Library, NewAsset } from "../gateway/src/assets/index.ts";
import type { Database } from "../gateway/src/db/index.ts";
import { assert, newId } from "../gateway/src/kit/index.ts";

/** An image of one pixel. */
export const TINY_PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

type AssetOwner = { readonly id: string; readonly keyId: string };

/** Puts an asset into the library as a settlement would, but without a call. */
export async function publishTestAsset(
  gateway: { readonly services: { readonly library: Library; readonly db: Database } },
  owner: AssetOwner,
  changes: Partial<NewAsset> & { readonly memberUserId?: string; readonly model?: string } = {},
): Promise<Asset> {
  const { library, db } = gateway.services;
  const { memberUserId = null, model = "sandbox-image", ...asset } = changes;
  const draft = await library.store(owner.id, {
    type: "image",
    bytes: TINY_PNG,
    mediaType: "image/png",
    width: null,
    height: null,
    durationMs: null,
    prompt: "a dot",
    ...asset,
  });
  await db.pool.query("select publish_assets($1, $2, $3, $4, $5, $6, $7)", [
    owner.id,
    newId(),
    owner.keyId,
    memberUserId,
    model,
    4,
    JSON.stringify([draft]),
  ]);
  const published = await library.find(owner.id, draft.id);
  assert(published !== null, "what was published is found");
  return published;
}
