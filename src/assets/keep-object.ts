import type { Database } from "../db/index.ts";
import { AppError, type MediaType } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import { newObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";
import { saveStray } from "./stray-store.ts";

/** Makes bytes durable and answers their key; the sweep takes them `keepForMs` from now unless somebody owns them. */
export type KeepObject = (object: {
  readonly orgId: string;
  readonly area: "assets" | "private";
  readonly bytes: Uint8Array;
  readonly mediaType: MediaType;
  readonly keepForMs: number;
}) => Promise<string>;

const RETRY_AFTER_SECONDS = 10;

export function createKeeper(deps: {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly log: Log;
}): KeepObject {
  return async ({ orgId, area, bytes, mediaType, keepForMs }) => {
    const objectKey = newObjectKey(area, mediaType);
    try {
      // In this order: an object that nobody has noted could never be found again.
      await saveStray(deps.db, { objectKey, orgId, keepForMs });
      await deps.objects.write(objectKey, bytes);
    } catch (error) {
      deps.log.error("object_not_stored", { store: deps.objects.description, error: String(error) });
      throw new AppError("internal_error", "The file could not be stored. Nothing was charged; try again.", {
        status: 503,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        internal: String(error),
        cause: error,
      });
    }
    return objectKey;
  };
}
