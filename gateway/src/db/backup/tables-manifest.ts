import { z } from "zod";

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,62}$/;
const name = z.string().regex(NAME);

/** What was saved of a database, and the versions that it had been at. */
export const tablesManifest = z.object({
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  partitions: z.array(
    z.object({
      name,
      of: name,
      // Inserted into a statement verbatim, so it may contain nothing but two ids.
      bound: z.string().regex(/^FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\)$/),
    }),
  ),
  /** Ordered so that each table refers only to earlier ones. */
  tables: z.array(
    z.object({
      name,
      columns: z.array(name).min(1),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      sha256: z.string(),
    }),
  ),
});

export type TablesManifest = z.infer<typeof tablesManifest>;
export type SavedTable = TablesManifest["tables"][number];

/** Path inside a backup's folder. */
export function tableFile(table: string): string {
  return `tables/${table}.copy.gz`;
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
