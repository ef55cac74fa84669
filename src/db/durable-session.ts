import type pg from "pg";

/** A session of the ledger sees what was committed before each statement, whatever the server's owner prefers. */
export const ISOLATION = { default_transaction_isolation: "read committed" } as const;

/**
 * A commit that was answered must survive a crash: a hold that is lost can be spent twice. Whatever else the server's
 * owner chose, such as to wait for a standby, stays.
 */
export const DURABLE = { synchronous_commit: "on" } as const;
export const ASK_DURABLE = "select current_setting('synchronous_commit') = 'off' as is_lax";

const SET_UP = `select set_config('default_transaction_isolation', '${ISOLATION.default_transaction_isolation}', false),
  case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end`;

/** Before anything else on a new connection. */
export async function setUpSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET_UP);
}
