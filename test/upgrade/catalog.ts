import type { Database } from "../../gateway/src/db/index.ts";

/** Each gives what it lists a name, and says everything about it by names, so that two databases can be compared. */
const LISTS: Readonly<Record<string, string>> = {
  relations: `select c.relname as name, relkind, relpersistence, reloptions, relacl, relrowsecurity, relreplident,
      pg_get_userbyid(relowner) as owner, pg_get_expr(relpartbound, c.oid) as bound, pg_get_partkeydef(c.oid) as key,
      (select array_agg(inhparent::regclass) from pg_inherits where inhrelid = c.oid) as parents
    from pg_class c where relnamespace = 'public'::regnamespace and relkind not in ('i', 'I')`,
  columns: `select c.relname || '.' || attname as name, row_number() over (partition by c.oid order by attnum) as place,
      format_type(atttypid, atttypmod) as type, attnotnull, pg_get_expr(adbin, adrelid) as default,
      attidentity, attgenerated, attcollation::regcollation, attstorage, attcompression, attacl
    from pg_attribute a join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped`,
  constraints: `select conrelid::regclass || ' ' || conname as name, contype, convalidated, condeferrable, condeferred,
      pg_get_constraintdef(oid) as rule
    from pg_constraint where connamespace = 'public'::regnamespace`,
  indexes: `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as rule, indisvalid, reloptions
    from pg_index join pg_class c on c.oid = indexrelid where relnamespace = 'public'::regnamespace`,
  functions: `select oid::regprocedure as name, pg_get_functiondef(oid) as text, proacl, pg_get_userbyid(proowner) as owner
    from pg_proc where pronamespace = 'public'::regnamespace`,
  triggers: `select tgrelid::regclass || ' ' || tgname as name, pg_get_triggerdef(oid) as rule, tgenabled
    from pg_trigger where not tgisinternal`,
  others: `select relname || ' ' || description as name from pg_description join pg_class on pg_class.oid = objoid
      where relnamespace = 'public'::regnamespace
    union all select defaclobjtype::text || ' ' || defaclacl::text from pg_default_acl
    union all select typname::text from pg_type
      where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')`,
};

/** All that a database is made of but its rows, a line each. */
export async function catalogOf(db: Database): Promise<string[]> {
  const lines: string[] = [];
  for (const [list, query] of Object.entries(LISTS)) {
    const { rows } = await db.pool.query<{ line: string }>(
      `select row_to_json(x)::text as line from (${query}) x order by x.name::text`,
    );
    lines.push(...rows.map(({ line }) => `${list} ${line}`));
  }
  return lines;
}
