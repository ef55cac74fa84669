import type pg from "pg";

export type Table = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isPartitioned: boolean;
};

/** Every table, with partitions as part of their parent, ordered so that each refers only to earlier ones. */
export async function loadTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `select c.relname as name, c.relkind = 'p' as "isPartitioned",
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> 'schema_migrations' order by c.relname`,
  );
  const sorted: Table[] = [];
  const done = new Set<string>();
  while (sorted.length < rows.length) {
    const next = rows.filter((row) => !done.has(row.name) && row.needs.every((need) => done.has(need)));
    if (next.length === 0) throw new Error("Tables refer to each other in a circle.");
    for (const { needs: _, ...table } of next) {
      sorted.push(table);
      done.add(table.name);
    }
  }
  return sorted;
}

/** Leaves out the default partition, which is created with its table. */
export async function loadPartitions(
  client: pg.Client,
): Promise<{ name: string; of: string; bound: string }[]> {
  const { rows } = await client.query(
    `select c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relispartition and c.relkind = 'r' and p.relnamespace = current_schema()::regnamespace
       and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' order by c.relname`,
  );
  return rows;
}
