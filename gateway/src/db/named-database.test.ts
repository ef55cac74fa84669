import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect, createServer, type Server } from "node:net";
import { silentLog } from "../telemetry/index.ts";
import { type Database, openDatabase } from "./database.ts";
import { openDoor } from "./knock-testing.ts";
import { parametersOf } from "./named-database.ts";
import { createEmptyDatabase, databaseUrlOf } from "./testing.ts";

const open = (databaseUrl: string): Promise<Database> =>
  openDatabase({ databaseUrl, dataDir: "/nowhere", poolSize: 1, log: silentLog });

describe("the database of DATABASE_URL", () => {
  let server: Awaited<ReturnType<typeof createEmptyDatabase>>;

  /** Opens a database where nothing listens; returns once that was noticed. */
  async function openAway(by: { until: Promise<unknown>; warn(...line: unknown[]): void }) {
    const probe = await listen();
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const url = server.db.url.replace(/@[^/]*/, `@127.0.0.1:${port}`);
    const found = Promise.withResolvers<void>();
    const warn = (...line: unknown[]) => {
      by.warn(...line);
      found.resolve();
    };
    const log = { ...silentLog, warn };
    const options = { databaseUrl: url, dataDir: "/nowhere", poolSize: 1, log };
    const waiting = openDatabase({ ...options, awaitUntil: by.until });
    await Promise.race([found.promise, waiting]);
    return { waiting, port };
  }

  beforeAll(async () => {
    server = await createEmptyDatabase();
  });

  afterAll(() => server.drop());

  for (const encoding of ["LATIN1", "SQL_ASCII"]) {
    test(`is refused with the encoding ${encoding}`, async () => {
      const name = `test_${encoding.toLowerCase()}_${process.pid}`;
      const { pool } = server.db;
      await pool.query(
        `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
      );
      await expect(open(databaseUrlOf(server.db.url, name))).rejects.toThrow(
        `The database that DATABASE_URL names has the encoding ${encoding}, and Bursar needs UTF8: make one with \`create database … encoding 'UTF8' template template0\`.`,
      );
      // Possible only if no connection is left.
      await pool.query(`drop database ${name}`);
    });
  }

  test("is accepted with the encoding UTF8", async () => {
    const db = await open(server.db.url);
    await db.close();
  });

  test("is named with its setting if nothing listens", async () => {
    await expect(open("postgresql://bursar:hunter2@127.0.0.1:1/bursar")).rejects.toThrow(
      /^The PostgreSQL at 127\.0\.0\.1:1 \(DATABASE_URL\) cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
    );
  });

  test("is named with its setting if another program listens, also with TLS", async () => {
    const stranger = await listen();
    const { port } = stranger.address() as { port: number };
    await expect(open(`postgresql://bursar@127.0.0.1:${port}/bursar`)).rejects.toThrow(
      `The PostgreSQL at 127.0.0.1:${port} (DATABASE_URL) cannot be reached: Connection terminated unexpectedly.`,
    );
    await expect(open(`postgresql://bursar@127.0.0.1:${port}/bursar?sslmode=verify-full`)).rejects.toThrow(
      `The PostgreSQL at 127.0.0.1:${port} (DATABASE_URL) cannot be reached: `,
    );
    stranger.close();
  });

  test("is waited for during a start: one warning, and it is used once it is there", async () => {
    const warned: unknown[] = [];
    const { waiting, port } = await openAway({
      until: new Promise(() => {}),
      warn: (...line) => void warned.push(line),
    });
    const { host, port: behind } = parametersOf(server.db.url);
    const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${behind}` } : { host, port: behind };
    const way = createServer((socket) => socket.pipe(connect(target)).pipe(socket));
    await new Promise<void>((resolve) => way.listen(port, "127.0.0.1", resolve));
    const db = await waiting;
    await db.close();
    way.close();
    expect(warned).toEqual([
      [
        "database_awaited",
        {
          error: `The PostgreSQL at 127.0.0.1:${port} (DATABASE_URL) cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`,
          up_to_ms: 30_000,
        },
      ],
    ]);
  });

  test("is no longer waited for once the caller stops", async () => {
    const stop = Promise.withResolvers<void>();
    const { waiting } = await openAway({ until: stop.promise, warn: () => stop.resolve() });
    await expect(waiting).rejects.toThrow("cannot be reached");
  });

  describe("while it takes no writes, as in a failover", () => {
    let standby: Awaited<ReturnType<typeof createEmptyDatabase>>;
    /** Applies to connections made from now on. */
    const setReadOnly = (value: "on" | "off") =>
      server.db.pool.query(`alter database ${nameOf(standby.db.url)}
        set default_transaction_read_only = ${value}`);

    beforeEach(async () => {
      standby = await createEmptyDatabase();
      await setReadOnly("on");
    });

    afterEach(() => standby.drop());

    function openToServe(until: Promise<unknown>, warn: (...line: unknown[]) => void): Promise<Database> {
      const log = { ...silentLog, warn };
      const options = { databaseUrl: standby.db.url, dataDir: "/nowhere", poolSize: 1, log };
      return openDatabase({ ...options, awaitUntil: until });
    }

    const TAKES_NONE = /^The PostgreSQL at \S+ \(DATABASE_URL\) takes no writes\.$/;

    test("is waited for during a start, with one warning", async () => {
      const warned: unknown[] = [];
      const db = await openToServe(new Promise(() => {}), (...line) => {
        warned.push(line);
        void setReadOnly("off");
      });
      expect(warned).toEqual([
        ["database_awaited", { error: expect.stringMatching(TAKES_NONE), up_to_ms: 30_000 }],
      ]);
      await db.pool.query("create table is_written (id int)");
      await db.close();
    });

    test("is reported at the end of the wait", async () => {
      const stop = Promise.withResolvers<void>();
      await expect(openToServe(stop.promise, () => stop.resolve())).rejects.toThrow(TAKES_NONE);
    });

    test("is used by commands, since some of them only read", async () => {
      const db = await open(standby.db.url);
      await db.close();
    });
  });

  test("is not tried again if it refuses the login", async () => {
    const door = await openDoor();
    const url = `postgresql://bursar:wrong@127.0.0.1:${door.port}/bursar`;
    const options = { databaseUrl: url, dataDir: "/nowhere", poolSize: 1, log: silentLog };
    const opened = openDatabase({ ...options, awaitUntil: new Promise(() => {}) });
    await expect(opened).rejects.toThrow("refuses Bursar: nobody is let in");
    expect(door.takeKnocks()).toHaveLength(1);
    door.close();
  });

  test("is reported with the server's own reason if it refuses", async () => {
    await expect(open(databaseUrlOf(server.db.url, "no_such_database"))).rejects.toThrow(
      /\(DATABASE_URL\) refuses Bursar: database "no_such_database" does not exist\.$/,
    );
  });
});

const nameOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);

/** A server that closes every connection. */
function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end());
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
