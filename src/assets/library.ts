import type { Database } from "../db/index.ts";
import { atMost } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Asset, AssetFilter, DraftAsset, NewAsset } from "./asset.ts";
import { createKeeper } from "./keep-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { type OpenAsset, openAsset } from "./open-asset.ts";
import { createPageCursors } from "./page-cursor.ts";
import { createPrivateObjects, type PrivateObjects } from "./private-objects.ts";
import { loadAsset, loadAssets, loadAssetsOfRequest, saveDeletion } from "./store.ts";
import { storeAsset } from "./store-asset.ts";
import { createSweep } from "./sweep.ts";

const REMOVAL_WAIT_MS = 2_000;
/** More than any call makes. */
const MOST_OF_REQUEST = 100;

type AssetPage = { readonly assets: readonly Asset[]; readonly nextCursor: string | null };

type PageRequest = {
  readonly limit: number;
  readonly cursor: string | null;
  readonly filter?: AssetFilter;
};

export type Library = PrivateObjects & {
  /**
   * Bytes become durable; nothing is listed before a settlement carries the draft. Throws an `AppError`: 502 where
   * the bytes are not media of that type, 503 where they cannot be stored. A draft that is never settled is swept.
   */
  store(orgId: string, asset: NewAsset): Promise<DraftAsset>;
  /** Newest first. Null: the cursor is not one of ours for this organization and filter. */
  list(orgId: string, page: PageRequest): Promise<AssetPage | null>;
  /** Null: no such asset, or somebody else's. */
  find(orgId: string, assetId: string): Promise<Asset | null>;
  /** What one call made and nobody has deleted since. */
  ofRequest(orgId: string, requestId: string): Promise<readonly Asset[]>;
  /** False: no such asset, or somebody else's. From here on its URL answers nothing, on every node. */
  delete(orgId: string, assetId: string): Promise<boolean>;
  /** By the token of its URL. Null: there is no such asset, or no more. */
  open(urlToken: string): Promise<OpenAsset | null>;
  /** Removes objects that nobody published in time; answers how many. Safe to repeat and to kill. */
  sweep(): Promise<number>;
};

export function createLibrary(input: {
  readonly db: Database;
  readonly objects: ObjectStore;
  /** Signs the places of pages. */
  readonly secret: string;
  readonly log: Log;
  readonly removalWaitMs?: number;
  /** How long a database that is away is waited for, to store something. */
  readonly databaseWaitMs: number;
}): Library {
  const { db, objects, log, removalWaitMs = REMOVAL_WAIT_MS, databaseWaitMs } = input;
  const cursors = createPageCursors(input.secret);
  const keep = createKeeper({ db, objects, log, databaseWaitMs });
  const sweep = createSweep({ db, objects, log });

  async function list(orgId: string, page: PageRequest): Promise<AssetPage | null> {
    const { limit, cursor, filter = {} } = page;
    const after = cursor === null ? null : cursors.decode(orgId, filter, cursor);
    if (cursor !== null && after === null) return null;
    // One more than asked for tells whether there is a next page.
    const found = await loadAssets(db, { orgId, limit: limit + 1, after, filter });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      assets: shown.map(({ asset }) => asset),
      nextCursor: found.length > limit && last ? cursors.encode(orgId, filter, last.place) : null,
    };
  }

  return {
    ...createPrivateObjects({ db, objects, keep, remove: sweep.remove }),
    store: (orgId, asset) => storeAsset(keep, orgId, asset),
    list,
    find: (orgId, assetId) => loadAsset(db, orgId, assetId),
    ofRequest: (orgId, requestId) => loadAssetsOfRequest(db, { orgId, requestId, limit: MOST_OF_REQUEST }),
    async delete(orgId, assetId) {
      const objectKey = await saveDeletion(db, orgId, assetId);
      if (objectKey === null) return false;
      // The row is gone, and with it the URL; a store that does not answer must not keep the caller waiting.
      await atMost(sweep.remove([objectKey]), removalWaitMs);
      return true;
    },
    open: (urlToken) => openAsset({ db, objects, log }, urlToken),
    sweep: sweep.run,
  };
}
