import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, saveTables } from "../../gateway/src/db/index.ts";

export type BackupFigures = { readonly seconds: number; readonly bytes: number; readonly rows: number };

/** What `bursar backup` does to the database, without the library's files. */
export async function measureBackup(db: Database, folder: string): Promise<BackupFigures> {
  const target = join(folder, "backup");
  const startedMs = performance.now();
  try {
    const { tables } = await saveTables(db, target);
    const sum = (of: "bytes" | "rows") => tables.reduce((total, table) => total + table[of], 0);
    return { seconds: (performance.now() - startedMs) / 1000, bytes: sum("bytes"), rows: sum("rows") };
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}
