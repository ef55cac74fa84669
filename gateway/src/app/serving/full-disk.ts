import { statfs } from "node:fs/promises";
import type { Config } from "../../config/index.ts";

/** As much as PostgreSQL needs for its next piece of log; without it, no charge can be written. */
const LEAST_FREE_BYTES = 16 << 20;

/**
 * The first folder of ours whose disk is full, null if none is: the data folder if the database is in it, and that of
 * the library. The disks of an external database and of a bucket are watched where they are.
 */
export async function folderOnFullDisk(
  { databaseUrl, dataDir, objects }: Pick<Config, "databaseUrl" | "dataDir" | "objects">,
  leastFreeBytes = LEAST_FREE_BYTES,
): Promise<string | null> {
  const folders = [
    ...(databaseUrl === null ? [dataDir] : []),
    ...(objects.kind === "files" ? [objects.folder] : []),
  ];
  for (const folder of folders) {
    // Not there yet, or not to be read: that is reported elsewhere.
    const disk = await statfs(folder).catch(() => null);
    if (disk !== null && disk.bavail * disk.bsize < leastFreeBytes) return folder;
  }
  return null;
}
