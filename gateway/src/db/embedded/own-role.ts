import pg from "pg";
import { ROLE } from "./cluster.ts";

/** The one that initdb made, for emergencies: it has the same password. */
export const SUPERUSER = "bursar_superuser";

const TIMEOUT_MS = 5_000;

/**
 * `reassign owned` refuses the role that initdb made, and a session's own role cannot be renamed. The new role gets the
 * password without our naming it. An earlier version finds its role and database as before.
 */
const TAKE = `begin;
  create role bursar_next superuser; set local session authorization bursar_next;
  alter role ${ROLE} rename to ${SUPERUSER};
  reset session authorization; alter role bursar_next rename to ${ROLE};
  do $$ declare change text; begin
    for change in
      select format('alter role ${ROLE} nosuperuser login password %L', rolpassword)
        from pg_authid where rolname = '${SUPERUSER}'
      union all select format('alter database %I owner to ${ROLE}', current_database())
      union all select format('alter table %s owner to ${ROLE}', oid::regclass) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      union all select format('alter routine %s owner to ${ROLE}', oid::regprocedure) from pg_proc
        where pronamespace = 'public'::regnamespace
    loop execute change; end loop;
  end $$;
  commit`;

/**
 * Makes our role a plain one that owns the database, completely or not at all. Only for a process that is alone: another
 * one could go on as the superuser and make partitions that our role does not own.
 */
export async function takeOwnRole(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1 and rolsuper", [ROLE]);
  if (rowCount === 0) return;
  const { host, port, user, password } = client;
  const inside = new pg.Client({
    ...{ host, port, user, password, database },
    connectionTimeoutMillis: TIMEOUT_MS,
    lock_timeout: TIMEOUT_MS,
  });
  // The failing query tells us; without this listener an error would end the process.
  inside.on("error", () => {});
  try {
    await inside.connect();
    await inside.query(TAKE);
  } finally {
    await inside.end().catch(() => {});
  }
}
