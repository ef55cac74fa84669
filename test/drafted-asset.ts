import type { Database } from "../gateway/src/db/index.ts";
import { newId } from "../gateway/src/kit/index.ts";
import type { Settlement } from "../gateway/src/ledger/index.ts";

type MadeAsset = NonNullable<Settlement["assets"]>[number];

/**
 * An asset as a call has it just before settlement: its bytes count as stored, and its object is registered as orphan.
 * For tests of settlement that need no real file; `publishTestAsset` stores one.
 */
export async function draftAsset(
  db: Database,
  orgId: string,
  changes: Partial<MadeAsset> = {},
): Promise<MadeAsset> {
  const id = newId();
  const asset: MadeAsset = {
    id,
    type: "image",
    objectKey: `assets/ab/${id.replaceAll("-", "")}.png`,
    urlToken: id.replaceAll("-", ""),
    mediaType: "image/png",
    sizeBytes: 68,
    sha256: "ab".repeat(32),
    width: 1,
    height: 1,
    durationMs: null,
    prompt: 'a "dot" \\ é, {and} more',
    ...changes,
  };
  await db.pool.query(
    "insert into stray_objects (object_key, org_id, due_at) values ($1, $2, bursar_now())",
    [asset.objectKey, orgId],
  );
  return asset;
}
