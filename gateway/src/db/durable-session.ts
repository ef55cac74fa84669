import type pg from "pg";

export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Settings we need whatever the server's defaults are: each statement sees what was committed before it, days and
 * months are in UTC, and dates and strings are parsed as we write them.
 */
const OURS: SessionSettings = {
  default_transaction_isolation: "read committed",
  timezone: "UTC",
  datestyle: "ISO, MDY",
  standard_conforming_strings: "on",
};

/**
 * A commit that was confirmed must survive a crash: credits of a lost hold could be spent twice. Any other choice of
 * the server's owner, such as waiting for a standby, is kept.
 */
const DURABLE =
  "case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end";

/**
 * Disables these timeouts, since our sessions are idle between calls and have their own statement limits. Filtered
 * through pg_settings because older servers do not know `transaction_timeout`.
 */
const UNTIMED = `(select count(set_config(name, '0', false)) from pg_settings
  where name in ('idle_session_timeout', 'transaction_timeout'))`;

/**
 * Sets up a new session with a statement rather than with connection parameters, since a pooler in between would refuse
 * those or not pass them on.
 */
function setUpStatement(settings: SessionSettings): string {
  const told = Object.entries({ ...OURS, ...settings }).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return `select ${[...told, DURABLE, UNTIMED].join(", ")}`;
}

export async function setUpSession(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  await client.query(setUpStatement(settings));
}
