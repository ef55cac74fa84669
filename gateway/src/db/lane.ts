import { SQL } from "bun";
import { ClosedForGood } from "../kit/index.ts";
import { setUpStatement } from "./durable-session.ts";
import { isReadOnly } from "./is-away.ts";
import { LANE_SESSION, laneOptions } from "./lane-options.ts";

/**
 * A single connection for sequential statements that are safe to repeat: the path of a paid call. It uses the runtime's
 * own driver, which takes half the CPU of the pool's. Opened on first use, or ahead of it.
 *
 * If a reply does not come in time, the statement fails and the connection is dropped, because a dead link shows only
 * when a new connection is tried. The same happens if the server is read-only: a new connection reaches the server that
 * has taken over.
 */
export type Lane = {
  /** Prepared on first use. PostgreSQL's bigint is returned as text. */
  query<Row>(text: string, values: unknown[]): Promise<readonly Row[]>;
  /** Connects ahead of the first statement, unless already open. */
  open(): Promise<void>;
  close(): Promise<void>;
};

/** Locks are waited for at most a second, so a reply that takes longer than this is better requested again. */
const ANSWER_TIMEOUT_MS = 5_000;
const SET_UP = setUpStatement(LANE_SESSION);

/** `onDoubt` is called if a reply did not come in time or came from a read-only server. */
export function createLane(url: string, onDoubt: () => void): Lane {
  let sql: SQL | null = null;
  let opening: Promise<SQL> | null = null;
  let isClosed = false;

  /** Drops the connection that was used, which may have been replaced since. */
  function giveUp(doubted: SQL): void {
    onDoubt();
    forget(doubted);
    drop(doubted);
  }

  async function ask<Row>(of: SQL, text: string, values: unknown[]): Promise<readonly Row[]> {
    const timer = setTimeout(giveUp, ANSWER_TIMEOUT_MS, of);
    try {
      return (await of.unsafe(text, values)) as readonly Row[];
    } catch (error) {
      if (isReadOnly(error)) giveUp(of);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Creates a new client for each connection: the driver's own reconnect would skip the session setup. */
  async function open(): Promise<SQL> {
    const own = new SQL({ ...laneOptions(url), onclose: () => forget(own) });
    try {
      await ask(own, SET_UP, []);
      return own;
    } catch (error) {
      drop(own);
      throw error;
    }
  }

  function forget(closed: SQL): void {
    if (sql === closed) sql = null;
  }

  async function opened(): Promise<SQL> {
    opening ??= open().finally(() => {
      opening = null;
    });
    sql = await opening;
    return sql;
  }

  return {
    query<Row>(text: string, values: unknown[]) {
      if (isClosed) return Promise.reject(new ClosedForGood("the database was closed"));
      if (sql !== null) return ask<Row>(sql, text, values);
      return opened().then((own) => ask<Row>(own, text, values));
    },
    async open() {
      if (sql === null && !isClosed) await opened();
    },
    async close() {
      isClosed = true;
      const closing = sql;
      sql = null;
      opening?.then(drop, () => {});
      await closing?.close({ timeout: 1 });
    },
  };
}

function drop(sql: SQL): void {
  sql.close({ timeout: 0 }).catch(() => {});
}
