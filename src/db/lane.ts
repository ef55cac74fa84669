import { SQL } from "bun";
import { ClosedForGood } from "../kit/index.ts";
import { setUpStatement } from "./durable-session.ts";
import { isReadOnly } from "./is-away.ts";
import { LANE_SESSION, laneOptions } from "./lane-options.ts";

/**
 * One connection for statements that follow each other and are safe to repeat: the path of a paid call. It
 * uses the runtime's own driver, which takes half the CPU of the pool's. Opened when first needed, or before. An answer
 * that does not come in time fails the statement and takes the connection with it, since a link that
 * swallows everything is found out by asking again on a new one. So does the answer that no writes are taken: a
 * new connection reaches the server that took this one's place.
 */
export type Lane = {
  /** Prepared on first use. PostgreSQL's bigint comes back as text. */
  query<Row>(text: string, values: unknown[]): Promise<readonly Row[]>;
  /** Ahead of the first statement, unless it is open. */
  open(): Promise<void>;
  close(): Promise<void>;
};

/** Locks are waited for at most a second. An answer that takes longer than this is better asked for again. */
const ANSWER_TIMEOUT_MS = 5_000;
const SET_UP = setUpStatement(LANE_SESSION);

/** `onDoubt` is told when an answer did not come in time, or came from a server that takes no writes. */
export function createLane(url: string, onDoubt: () => void): Lane {
  let sql: SQL | null = null;
  let opening: Promise<SQL> | null = null;
  let isClosed = false;

  /** Of the connection that was asked: another may have taken its place since. */
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

  /** The driver would connect again by itself, and that session would not have been told how to be. */
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
