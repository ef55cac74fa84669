import { type Database, isDatabaseAway } from "../db/index.ts";
import { AppError, nothingAtPath } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Asset } from "./asset.ts";
import { despiteOutage } from "./despite-outage.ts";
import type { ObjectStore } from "./object-store.ts";
import { loadAssetByToken } from "./store.ts";

/**
 * An asset whose bytes are there, completely. If a read fails, it rejects with a 503 and is logged; after a deletion,
 * with a 404.
 */
export type OpenAsset = {
  readonly asset: Asset;
  /** See `ObjectStore.blobOf`. */
  blobOf(start: number, length: number): Blob | null;
  read(start: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
};

const TOKEN = /^[A-Za-z0-9_-]{32}$/;

type OpenDeps = { readonly db: Database; readonly objects: ObjectStore; readonly log: Log };

/** The row is read every time and never cached, so that a deleted asset is gone on every node at once. */
export async function openAsset(deps: OpenDeps, urlToken: string): Promise<OpenAsset | null> {
  const { db, objects, log } = deps;
  const asset = TOKEN.test(urlToken) ? await loadAssetByToken(db, urlToken) : null;
  if (asset === null) return null;
  const { objectKey } = asset;
  // Most likely it was deleted since the row was read; otherwise the store is away, or somebody tampered with it.
  const isDeleted = async () => (await loadAssetByToken(db, urlToken)) === null;
  const notRead = (error: unknown): AppError => {
    log.error("object_not_read", { asset: asset.id, store: objects.description, error: String(error) });
    return storeAway(error);
  };
  const sizeBytes = await objects.sizeOf(objectKey).catch(async (error: unknown) => {
    if (await isDeleted()) return null;
    throw notRead(error);
  });
  if (sizeBytes !== asset.sizeBytes) {
    if (await isDeleted()) return null;
    log.error("asset_damaged", { asset: asset.id, store: objects.description, found: sizeBytes });
    throw new AppError("internal_error", "The file cannot be read.", { internal: `object ${objectKey}` });
  }
  return {
    asset,
    blobOf: (start, length) => objects.blobOf(objectKey, start, length),
    async read(start, length) {
      try {
        return await objects.read(objectKey, start, length);
      } catch (error) {
        throw (await isDeleted()) ? nothingAtPath() : notRead(error);
      }
    },
  };
}

/**
 * The same, but opening it and each read wait up to `forMs` for the database and for the whole object: it was stored a
 * moment ago, so a store that has none, or another one, is not believed at once.
 */
export async function openAssetSurely(
  deps: OpenDeps,
  urlToken: string,
  forMs: number,
): Promise<OpenAsset | null> {
  const surely = <T>(ask: () => Promise<T>) => despiteOutage(forMs, ask, isAway);
  const opened = await surely(() => openAsset(deps, urlToken));
  if (opened === null) return null;
  return { ...opened, read: (start, length) => surely(() => opened.read(start, length)) };
}

function isAway(error: unknown): boolean {
  return isDatabaseAway(error) || (error instanceof AppError && error.code === "internal_error");
}

function storeAway(cause: unknown): AppError {
  return new AppError("internal_error", "The file's store does not answer. Try again in a moment.", {
    status: 503,
    retryAfterSeconds: 5,
    internal: String(cause),
    cause,
  });
}
