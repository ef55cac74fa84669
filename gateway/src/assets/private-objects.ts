import type { Database } from "../db/index.ts";
import { assert, DAY_MS } from "../kit/index.ts";
import { sniffMediaType } from "../media/index.ts";
import type { KeepObject } from "./keep-object.ts";
import { mediaTypeOfKey } from "./object-key.ts";
import { MAX_OBJECT_BYTES, type ObjectStore } from "./object-store.ts";
import { claimOrphans } from "./orphan-store.ts";

/** Reference media of a job: never listed, never served. */
type PrivateFile = { readonly bytes: Uint8Array; readonly mediaType: string };

/** A stored private file; read in pieces, so that it need not fit in memory. */
type PrivateObject = {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Exactly `length` bytes; rejects if it was dropped meanwhile. */
  read(start: number, length: number): Promise<Uint8Array>;
};

export type PrivateObjects = {
  /** Returns the key to read it by. It is swept after `keepForMs`, which is a duration of at most two days. */
  keepPrivate(orgId: string, file: PrivateFile, keepForMs: number): Promise<string>;
  /** Null if it was dropped or swept. */
  openPrivate(key: string): Promise<PrivateObject | null>;
  /** Objects that cannot be removed now are swept later. */
  dropPrivate(keys: readonly string[]): Promise<void>;
};

/** Guards against a timestamp passed as a duration, which would keep users' images for decades. */
const LONGEST_MS = 2 * DAY_MS;

export function createPrivateObjects(deps: {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly keep: KeepObject;
  /** The objects must already be claimed. */
  remove(objectKeys: readonly string[]): Promise<number>;
}): PrivateObjects {
  const { db, objects, keep } = deps;
  return {
    async keepPrivate(orgId, { bytes }, keepForMs) {
      assert(
        keepForMs > 0 && keepForMs <= LONGEST_MS,
        `not a time to keep a private object for: ${keepForMs}`,
      );
      const mediaType = sniffMediaType(bytes);
      assert(mediaType !== null, "reference media was checked before it is kept");
      return keep({ orgId, area: "private", bytes, mediaType, keepForMs: Math.round(keepForMs) });
    },
    async openPrivate(key) {
      assertPrivate(key);
      const sizeBytes = await objects.sizeOf(key);
      if (sizeBytes === null) return null;
      assert(sizeBytes <= MAX_OBJECT_BYTES, "no object is larger than we write them");
      return {
        mediaType: mediaTypeOfKey(key),
        sizeBytes,
        read: (start, length) => objects.read(key, start, length),
      };
    },
    async dropPrivate(keys) {
      if (keys.length === 0) return;
      keys.forEach(assertPrivate);
      await claimOrphans(db, keys);
      await deps.remove(keys);
    },
  };
}

function assertPrivate(key: string): void {
  assert(key.startsWith("private/"), "a private object's key");
}
