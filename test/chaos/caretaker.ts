import type { Database } from "../../gateway/src/db/index.ts";

const EVERY_MS = 60_000;

/**
 * Does what autovacuum does once a minute. A server that is stopped every half minute never gets to vacuum and analyze
 * its tables, and a run of hours would measure only that.
 */
export function startCaretaker(db: Database): { stop(): Promise<void> } {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  async function goRound(): Promise<void> {
    while (!isOver) {
      const timer = Promise.withResolvers<void>();
      const handle = setTimeout(timer.resolve, EVERY_MS);
      await Promise.race([timer.promise, over.promise]);
      clearTimeout(handle);
      // If the database stops in the middle, the next round is a minute later.
      if (!isOver) await clean(db).catch(() => {});
    }
  }
  const rounds = goRound();
  return {
    stop() {
      isOver = true;
      over.resolve();
      return rounds;
    },
  };
}

async function clean(db: Database): Promise<void> {
  const connection = await db.pool.connect();
  try {
    await connection.query("set statement_timeout = 0");
    await connection.query("vacuum (analyze)");
  } finally {
    connection.release(true);
  }
}
