import { SQL } from "bun";
import { ASK_DURABLE, DURABLE } from "./durable-session.ts";
import { isReadOnly } from "./is-away.ts";
import { laneOptions } from "./lane-options.ts";

/**
 * One connection for statements that follow each other and are safe to repeat: the path of a paid call. It
 * uses the runtime's own driver, which takes half the CPU of the pool's. Opened when first needed. An answer
 * that does not come in time fails the statement and takes the connection with it, since a link that
 * swallows everything is found out by asking again on a new one. So does the answer that no writes are taken: a
 * new connection reaches the server that took this one's place.
 */
export type Lane = {
  /** Prepared on first use. PostgreSQL's bigint comes back as text. */
  query<Row>(text: string, values: unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
};

/** Locks are waited for at most a second. An answer that takes longer than this is better asked for again. */
const ANSWER_TIMEOUT_MS = 5_000;

/** `onDoubt` is told when an answer did not come in time, or came from a server that takes no writes. */
export function createLane(url: string, onDoubt: () => void = () => {}): Lane {
  let sql: SQL | null = null;
  let opening: Promise<SQL> | null = null;
  let isClosed = false;

  /** Of the connection that was asked: another may have taken its place since. */
  function giveUp(doubted: SQL): void {
    onDoubt();
    if (sql === doubted) sql = null;
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

  /**
   * A session that would commit without waiting for the disk is opened anew as one that waits: told at its beginning, the
   * driver says so again whenever it connects by itself.
   */
  async function open(): Promise<SQL> {
    const usual = new SQL(laneOptions(url));
    try {
      const [answer] = await ask<{ is_lax: boolean }>(usual, ASK_DURABLE, []);
      if (answer?.is_lax !== true) return usual;
    } catch (error) {
      drop(usual);
      throw error;
    }
    drop(usual);
    return new SQL(laneOptions(url, DURABLE));
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
      if (isClosed) return Promise.reject(new Error("the database was closed"));
      if (sql !== null) return ask<Row>(sql, text, values);
      return opened().then((own) => ask<Row>(own, text, values));
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
