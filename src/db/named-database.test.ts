import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { silentLog } from "../telemetry/index.ts";
import { type Database, openDatabase } from "./database.ts";
import { createEmptyDatabase, databaseUrlOf } from "./testing.ts";

const open = (databaseUrl: string): Promise<Database> =>
  openDatabase({ databaseUrl, dataDir: "/nowhere", poolSize: 1, log: silentLog });

describe("the database that DATABASE_URL names", () => {
  let server: Awaited<ReturnType<typeof createEmptyDatabase>>;

  beforeAll(async () => {
    server = await createEmptyDatabase();
  });

  afterAll(() => server.drop());

  for (const encoding of ["LATIN1", "SQL_ASCII"]) {
    test(`is refused where its encoding is ${encoding}: texts would be lost long after the start`, async () => {
      const name = `test_${encoding.toLowerCase()}_${process.pid}`;
      const { pool } = server.db;
      await pool.query(
        `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
      );
      await expect(open(databaseUrlOf(server.db.url, name))).rejects.toThrow(
        `The database that DATABASE_URL names has the encoding ${encoding}, and Bursar needs UTF8: make one with \`create database … encoding 'UTF8' template template0\`.`,
      );
      // Nobody is left on it.
      await pool.query(`drop database ${name}`);
    });
  }

  test("is taken where its encoding is UTF8", async () => {
    const db = await open(server.db.url);
    await db.close();
  });

  test("is named with its setting where nobody listens", async () => {
    await expect(open("postgresql://bursar:hunter2@127.0.0.1:1/bursar")).rejects.toThrow(
      /^The PostgreSQL at 127\.0\.0\.1:1 \(DATABASE_URL\) cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
    );
  });

  test("is named with its setting where another program listens, and where TLS is not spoken", async () => {
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

  test("that lets nobody in says why itself", async () => {
    await expect(open(databaseUrlOf(server.db.url, "no_such_database"))).rejects.toThrow(
      /\(DATABASE_URL\) refuses Bursar: database "no_such_database" does not exist\.$/,
    );
  });
});

/** A program that ends every connection. */
function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end());
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
