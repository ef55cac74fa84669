import type { Database } from "../db/index.ts";
import { AppError } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Asset } from "./asset.ts";
import type { ObjectStore } from "./object-store.ts";
import { loadAssetByToken } from "./store.ts";

/** An asset whose bytes are there, all of them. */
export type OpenAsset = {
  readonly asset: Asset;
  /** See `ObjectStore.blobOf`. */
  blobOf(start: number, length: number): Blob | null;
  read(start: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
};

const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** The row is asked each time and remembered nowhere, so a deleted asset is gone for every node at once. */
export async function openAsset(
  deps: { readonly db: Database; readonly objects: ObjectStore; readonly log: Log },
  urlToken: string,
): Promise<OpenAsset | null> {
  const { db, objects, log } = deps;
  const asset = TOKEN.test(urlToken) ? await loadAssetByToken(db, urlToken) : null;
  if (asset === null) return null;
  const { objectKey } = asset;
  const sizeBytes = await sizeOf(objects, objectKey);
  if (sizeBytes !== asset.sizeBytes) {
    // Deleted since the row was read, most likely; else somebody has been at the store.
    if ((await loadAssetByToken(db, urlToken)) === null) return null;
    log.error("asset_damaged", { asset: asset.id, store: objects.description, found: sizeBytes });
    throw new AppError("internal_error", "The file cannot be read.", { internal: `object ${objectKey}` });
  }
  return {
    asset,
    blobOf: (start, length) => objects.blobOf(objectKey, start, length),
    read: (start, length) => objects.read(objectKey, start, length),
  };
}

async function sizeOf(objects: ObjectStore, objectKey: string): Promise<number | null> {
  try {
    return await objects.sizeOf(objectKey);
  } catch (error) {
    throw new AppError("internal_error", "The file's store does not answer. Try again in a moment.", {
      status: 503,
      retryAfterSeconds: 5,
      internal: String(error),
      cause: error,
    });
  }
}
