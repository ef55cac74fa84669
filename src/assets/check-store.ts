import { randomBytes } from "node:crypto";
import { newObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

const PROBE_BYTES = 4096;

/** Writes, reads and deletes an object for real; rejects with what the store says. Nothing is left behind. */
export async function checkObjectStore(objects: ObjectStore): Promise<void> {
  const key = newObjectKey("doctor", "image/png");
  const bytes = randomBytes(PROBE_BYTES);
  await objects.write(key, bytes);
  try {
    const read = await objects.read(key, 0, PROBE_BYTES);
    if (!bytes.equals(read)) throw new Error("what was read is not what was written");
  } finally {
    await objects.delete(key);
  }
  if ((await objects.sizeOf(key)) !== null) throw new Error("what was deleted is still there");
}
