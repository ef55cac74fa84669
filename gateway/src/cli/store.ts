import { type Database, migratedTables } from "../db/index.ts";
import { present } from "../kit/index.ts";

/** The settings for any client of this database, whatever our own sessions set. */
export async function loadDurability(
  db: Database,
): Promise<{ synchronousCommit: string; isFlushed: boolean }> {
  const { rows } = await db.pool.query<{ synchronousCommit: string; isFlushed: boolean }>(
    `select reset_val as "synchronousCommit", current_setting('fsync') <> 'off' as "isFlushed" from pg_settings where name = 'synchronous_commit'`,
  );
  return present(rows[0], "the server's settings");
}

export async function loadServerVersion(db: Database): Promise<string> {
  const { rows } = await db.pool.query<{ version: string }>(
    "select split_part(current_setting('server_version'), ' ', 1) as version",
  );
  return present(rows[0], "the server's version").version;
}

/** The ids and slugs that no organization has. */
export async function loadUnknownOrganizations(
  db: Database,
  idsOrSlugs: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await db.pool.query<{ asked: string }>(
    `select asked from unnest($1::text[]) as asked
     where not exists (select from organization where slug = asked or id::text = asked) order by asked`,
    [idsOrSlugs],
  );
  return rows.map((row) => row.asked);
}

type Rights = {
  readonly role: string;
  /** Whether the search_path names an existing schema: without one, nobody can create tables. */
  readonly hasSchema: boolean;
  readonly mayCreate: boolean;
  /** Only the owner of a function may replace it. True where there are none yet. */
  readonly ownsFunctions: boolean;
  readonly takesWrites: boolean;
  /** Our tables that the role may not write to. Writing to a partition needs only the rights on its table. */
  readonly closedTables: readonly string[];
  /** Only the owner of a table may create its partitions. */
  readonly mayMakePartitions: boolean;
};

export async function loadRights(db: Database): Promise<Rights> {
  const { rows } = await db.pool.query<Rights>(
    `select current_user as role, current_schema() is not null as "hasSchema",
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate",
       coalesce((select pg_has_role(proowner, 'USAGE') from pg_proc where oid = to_regproc('bursar_now')), true)
         as "ownsFunctions",
       not current_setting('transaction_read_only')::boolean as "takesWrites",
       array(select relname::text from pg_class
         where relnamespace = to_regnamespace(quote_ident(current_schema())) and relkind in ('r', 'p')
           and not relispartition and relname::text = any($1)
           and not (has_table_privilege(oid, 'INSERT') and case relname
             -- Nobody changes entries, and who hardens the database takes the right away.
             when 'entries' then has_table_privilege(oid, 'SELECT')
             else has_table_privilege(oid, 'UPDATE') and has_table_privilege(oid, 'DELETE') end)
         order by relname) as "closedTables",
       coalesce((select pg_has_role(relowner, 'USAGE') and has_schema_privilege(relnamespace, 'CREATE')
         from pg_class where oid = to_regclass('requests')), false) as "mayMakePartitions"`,
    [migratedTables()],
  );
  return present(rows[0], "the role's rights");
}

/** The serving processes that hold a lease now, on any machine. */
export async function loadServingProcesses(db: Database): Promise<readonly string[]> {
  const { rows } = await db.pool.query<{ process_id: string }>(
    "select process_id from processes where ended_at is null and expires_at > bursar_now()",
  );
  return rows.map((row) => row.process_id);
}
