import type { Database } from "../../gateway/src/db/index.ts";

export type TableFigures = {
  readonly table: string;
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
  readonly deadRows: number;
  /** Share of updates that stayed within their page and touched no index. */
  readonly hotUpdates: number | null;
};

/** Partitions count towards their table. */
export async function loadTableFigures(db: Database): Promise<TableFigures[]> {
  const { rows } = await db.pool.query<Record<string, string | null>>(
    `select regexp_replace(s.relname, '^requests_.*', 'requests') as name, sum(greatest(c.reltuples, 0))::bigint as rows,
       sum(pg_table_size(s.relid)) as table_bytes, sum(pg_indexes_size(s.relid)) as index_bytes,
       sum(s.n_dead_tup) as dead, sum(s.n_tup_hot_upd)::float8 / nullif(sum(s.n_tup_upd), 0) as hot
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid and c.relkind = 'r'
     group by 1 having sum(pg_total_relation_size(s.relid)) > 1000000 order by sum(pg_total_relation_size(s.relid)) desc`,
  );
  return rows.map((row) => ({
    table: row["name"] ?? "",
    rows: Number(row["rows"]),
    tableBytes: Number(row["table_bytes"]),
    indexBytes: Number(row["index_bytes"]),
    deadRows: Number(row["dead"]),
    hotUpdates: row["hot"] === null ? null : Number(row["hot"]),
  }));
}

/** Does at once what autovacuum does over time, on a connection without a statement timeout. */
export async function vacuumAll(db: Database): Promise<number> {
  const client = await db.connect();
  try {
    const startedMs = performance.now();
    await client.query("vacuum (analyze)");
    const seconds = (performance.now() - startedMs) / 1000;
    await client.query("checkpoint");
    return seconds;
  } finally {
    await client.end();
  }
}
