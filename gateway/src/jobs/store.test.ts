import { afterAll, describe, expect, test } from "bun:test";
import type pg from "pg";
import { connectDatabase, type Database } from "../db/index.ts";
import { createTestDatabase } from "../db/testing.ts";
import { silentLog } from "../telemetry/index.ts";
import { whileAlone } from "./store.ts";

const database = await createTestDatabase();
const links: Database[] = [];
afterAll(async () => {
  await Promise.all(links.map((link) => link.close()));
  await database.drop();
});

function connect(): Database {
  const link = connectDatabase({ url: database.db.url, poolSize: 2, log: silentLog });
  links.push(link);
  return link;
}

/** The sessions that hold a task's lock now. */
async function holders(lockId: number): Promise<{ pid: number; query: string }[]> {
  const { rows } = await database.db.pool.query(
    `select pid, query from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = 7202 and objid = $1 and granted`,
    [lockId],
  );
  return rows;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

/** The server runs statements with this word, but their answers come too late for the caller. */
function answerTooLate(link: Database, word: string): void {
  link.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const queryLate = (...given: unknown[]) => {
      const sent = query(...given);
      if (!String(given[0]).includes(word)) return sent;
      return (sent as Promise<unknown>).then(() => Promise.reject(new Error("Query read timeout")));
    };
    client.query = queryLate as pg.PoolClient["query"];
  });
}

describe("whileAlone, if the answer comes too late", () => {
  for (const word of ["advisory", "rollback"]) {
    test(`to "${word}", releases the lock and closes the connection`, async () => {
      const link = connect();
      answerTooLate(link, word);
      await whileAlone(link, 910, async () => {}).catch(() => {});
      expect(link.pool.totalCount).toBe(0);
      await until(async () => (await holders(910)).length === 0);
      expect(await whileAlone(database.db, 910, async () => "done")).toBe("done");
    });
  }
});

describe("whileAlone", () => {
  test("releases the lock of a silent holder, whose work still ends normally", async () => {
    const gate = Promise.withResolvers<void>();
    const frozen = { silenceMs: 20, heardEveryMs: 3_600_000 };
    const first = whileAlone(connect(), 911, () => gate.promise.then(() => "late"), frozen);
    let other: string | null = null;
    await until(async () => {
      other = await whileAlone(database.db, 911, async () => "other");
      return other !== null;
    });
    gate.resolve();
    expect(await first).toBe("late");
  });

  test("sends statements while the work goes on, and releases the lock after it", async () => {
    const gate = Promise.withResolvers<void>();
    const first = whileAlone(connect(), 912, () => gate.promise, { silenceMs: 15_000, heardEveryMs: 5 });
    await until(async () => (await holders(912)).some(({ query }) => query === "select 1"));
    gate.resolve();
    await first;
    expect(await holders(912)).toEqual([]);
  });

  test("gives up a silent holder after 15 seconds by default", async () => {
    const link = connect();
    let limit: unknown;
    link.pool.on("connect", (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      client.query = ((...given: unknown[]) => {
        if (String(given[0]).includes("advisory")) limit = given[1];
        return query(...given);
      }) as pg.PoolClient["query"];
    });
    await whileAlone(link, 913, async () => {});
    expect(limit).toEqual([7202, 913, "15000ms"]);
  });
});
