import { SQL } from "bun";
import { laneOptions } from "./lane-options.ts";

/**
 * One connection for statements that follow each other and are safe to repeat: the path of a paid call. It
 * uses the runtime's own driver, which takes half the CPU of the pool's. Opened when first needed. An answer
 * that does not come in time fails the statement and takes the connection with it, since a link that
 * swallows everything is found out by asking again on a new one.
 */
export type Lane = {
  /** Prepared on first use. PostgreSQL's bigint comes back as text. */
  query<Row>(text: string, values: unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
};

/** Locks are waited for at most a second. An answer that takes longer than this is better asked for again. */
const ANSWER_TIMEOUT_MS = 5_000;

/** `onSilence` is told when an answer did not come in time: the link itself is in doubt. */
export function createLane(url: string, onSilence: () => void = () => {}): Lane {
  let sql: SQL | null = null;
  let isClosed = false;

  /** Of the connection that was asked: another may have taken its place since. */
  function giveUp(silent: SQL): void {
    onSilence();
    if (sql === silent) sql = null;
    void silent.close({ timeout: 0 }).catch(() => {});
  }

  return {
    async query<Row>(text: string, values: unknown[]) {
      if (isClosed) throw new Error("the database was closed");
      sql ??= new SQL(laneOptions(url));
      const timer = setTimeout(giveUp, ANSWER_TIMEOUT_MS, sql);
      try {
        return (await sql.unsafe(text, values)) as readonly Row[];
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      isClosed = true;
      const closing = sql;
      sql = null;
      await closing?.close({ timeout: 1 });
    },
  };
}
