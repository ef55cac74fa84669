import type pg from "pg";

export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Whatever the server's owner prefers: a session of the ledger sees what was committed before each statement, its days and
 * months are those of UTC, and our texts and the server's mean what we take them for.
 */
const OURS: SessionSettings = {
  default_transaction_isolation: "read committed",
  timezone: "UTC",
  datestyle: "ISO, MDY",
  standard_conforming_strings: "on",
  array_nulls: "on",
};

/**
 * A commit that was answered must survive a crash: a hold that is lost can be spent twice. Whatever else the server's
 * owner chose, such as to wait for a standby, stays.
 */
const DURABLE =
  "case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end";

/** Our sessions rest between calls, and have limits of their own for statements. Of those that the server knows: the last one is new. */
const UNTIMED = `(select count(set_config(name, '0', false)) from pg_settings
  where name in ('idle_session_timeout', 'transaction_timeout'))`;

/**
 * What a new session is told before anything else, as a statement: said while connecting, a pooler in between would refuse
 * the connection, or not pass it on.
 */
export function setUpStatement(settings: SessionSettings): string {
  const told = Object.entries({ ...OURS, ...settings }).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return `select ${[...told, DURABLE, UNTIMED].join(", ")}`;
}

export async function setUpSession(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  await client.query(setUpStatement(settings));
}
