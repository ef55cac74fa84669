import type { Database } from "../db/index.ts";
import { assert, DAY_MS, sniffMediaType } from "../kit/index.ts";
import type { KeepObject } from "./keep-object.ts";
import { mediaTypeOfKey } from "./object-key.ts";
import { MAX_OBJECT_BYTES, type ObjectStore } from "./object-store.ts";
import { claimStrays } from "./stray-store.ts";

/** Reference media of a job: never listed, never served. */
type PrivateFile = { readonly bytes: Uint8Array; readonly mediaType: string };

/** The same once it is kept: read in pieces, so that nobody has to hold it. */
type PrivateObject = {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Exactly so many bytes; rejects where it was dropped meanwhile. */
  read(start: number, length: number): Promise<Uint8Array>;
};

export type PrivateObjects = {
  /** Gives the key to read it by. It is swept `keepForMs` from now: a length of time, two days at the most. */
  keepPrivate(orgId: string, file: PrivateFile, keepForMs: number): Promise<string>;
  /** Null: dropped or swept. */
  openPrivate(key: string): Promise<PrivateObject | null>;
  /** What cannot be removed now is swept later. */
  dropPrivate(keys: readonly string[]): Promise<void>;
};

/** A moment given as a length of time would keep somebody's pictures for decades. */
const LONGEST_MS = 2 * DAY_MS;

export function createPrivateObjects(deps: {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly keep: KeepObject;
  /** Of objects that are claimed already. */
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
      await claimStrays(db, keys);
      await deps.remove(keys);
    },
  };
}

function assertPrivate(key: string): void {
  assert(key.startsWith("private/"), "a private object's key");
}
