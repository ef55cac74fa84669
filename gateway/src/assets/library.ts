import type { Database } from "../db/index.ts";
import { atMost } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Asset, AssetFilter, DraftAsset, NewAsset } from "./asset.ts";
import { createKeeper } from "./keep-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { type OpenAsset, openAsset, openAssetSurely } from "./open-asset.ts";
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
   * Makes the bytes durable; nothing is listed until a settlement carries the draft. Throws an `AppError`: 502 if the
   * bytes are not media of that type, 503 if they cannot be stored. A draft that is never settled is swept.
   */
  store(orgId: string, asset: NewAsset): Promise<DraftAsset>;
  /** Newest first. Null if the cursor is not one of ours for this organization and filter. */
  list(orgId: string, page: PageRequest): Promise<AssetPage | null>;
  /** Null if it does not exist or belongs to another organization. */
  find(orgId: string, assetId: string, within?: Database): Promise<Asset | null>;
  /** The files that one call made, except deleted ones. */
  ofRequest(orgId: string, requestId: string): Promise<readonly Asset[]>;
  /** False if it does not exist or belongs to another organization. Afterwards its URL no longer works, on any node. */
  delete(orgId: string, assetId: string): Promise<boolean>;
  /**
   * The same in a transaction of this database: returns what removes the file once that is committed; null if there is
   * no such asset.
   */
  withdraw(within: Database, orgId: string, assetId: string): Promise<(() => Promise<void>) | null>;
  /** Opens an asset by the token in its URL. Null if it does not exist (any more). */
  open(urlToken: string): Promise<OpenAsset | null>;
  /**
   * The same for a reply that is already paid for: it waits for the database, and for the object store at each read,
   * as long as a charge is retried.
   */
  openSurely(urlToken: string): Promise<OpenAsset | null>;
  /** Removes objects that were not published in time; returns how many. Safe to repeat and to kill. */
  sweep(): Promise<number>;
};

export function createLibrary(input: {
  readonly db: Database;
  readonly objects: ObjectStore;
  /** Signs page cursors. */
  readonly secret: string;
  readonly log: Log;
  readonly removalWaitMs?: number;
  /**
   * How long to wait for an unavailable database when storing something, and for database and object store when reading
   * what is already paid for.
   */
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
    // One more than requested shows whether there is a next page.
    const found = await loadAssets(db, { orgId, limit: limit + 1, after, filter });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      assets: shown.map(({ createdUs: _, ...asset }) => asset),
      nextCursor: found.length > limit && last ? cursors.encode(orgId, filter, last) : null,
    };
  }

  async function withdraw(within: Database, orgId: string, assetId: string) {
    const objectKey = await saveDeletion(within, orgId, assetId);
    if (objectKey === null) return null;
    // The row and with it the URL are gone; a store that does not respond must not keep the caller waiting.
    return () => atMost(sweep.remove([objectKey]), removalWaitMs).then(() => {});
  }

  const openDeps = { db, objects, log };

  return {
    ...createPrivateObjects({ db, objects, keep, remove: sweep.remove }),
    store: (orgId, asset) => storeAsset(keep, orgId, asset),
    list,
    find: (orgId, assetId, within = db) => loadAsset(within, orgId, assetId),
    ofRequest: (orgId, requestId) => loadAssetsOfRequest(db, { orgId, requestId, limit: MOST_OF_REQUEST }),
    async delete(orgId, assetId) {
      const remove = await withdraw(db, orgId, assetId);
      await remove?.();
      return remove !== null;
    },
    withdraw,
    open: (urlToken) => openAsset(openDeps, urlToken),
    openSurely: (urlToken) => openAssetSurely(openDeps, urlToken, databaseWaitMs),
    sweep: sweep.run,
  };
}
