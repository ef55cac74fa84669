import type { Database } from "../db/index.ts";
import { AppError } from "../kit/index.ts";
import type { MediaType } from "../media/index.ts";
import type { Log } from "../telemetry/index.ts";
import { despiteOutage } from "./despite-outage.ts";
import { newObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";
import { saveOrphan } from "./orphan-store.ts";

/**
 * Makes bytes durable and returns their key. Unless something takes ownership of them, they are swept after
 * `keepForMs`.
 */
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
  /** How long an unreachable database is waited for: as long as a charge is retried. */
  readonly databaseWaitMs: number;
}): KeepObject {
  const { db, objects, log, databaseWaitMs } = deps;

  return async ({ orgId, area, bytes, mediaType, keepForMs }) => {
    const objectKey = newObjectKey(area, mediaType);
    const orphan = { objectKey, orgId, keepForMs };
    // In this order: an object that was not recorded first could never be found again. A short database outage must
    // not lose a file that was already paid for upstream.
    await despiteOutage(databaseWaitMs, () => saveOrphan(db, orphan)).catch((error: unknown) => {
      log.error("object_not_noted", { error: String(error) });
      throw notStored(error);
    });
    await objects.write(objectKey, bytes).catch((error: unknown) => {
      log.error("object_not_stored", { store: objects.description, error: String(error) });
      throw notStored(error);
    });
    return objectKey;
  };
}

function notStored(cause: unknown): AppError {
  return new AppError("internal_error", "The file could not be stored. Nothing was charged; try again.", {
    status: 503,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: String(cause),
    cause,
  });
}
