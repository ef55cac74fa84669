import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type pg from "pg";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, openDatabase } from "./database.ts";
import { keepsSessions } from "./kept-sessions.ts";
import { parametersOf, requireUsable } from "./named-database.ts";
import { createEmptyDatabase } from "./testing.ts";

let made: Awaited<ReturnType<typeof createEmptyDatabase>>;
let sessions: pg.Client[];
beforeAll(async () => {
  made = await createEmptyDatabase();
  sessions = [await made.db.connect(), await made.db.connect(), await made.db.connect()];
});
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.end()));
  await made.drop();
});

/** Connections of a pooler that gives each statement one of its sessions. */
function pooler(next: () => pg.Client) {
  const client = { query: (text: string) => next().query(text), end: async () => {} };
  return async () => client as unknown as pg.Client;
}

const poolers: [string, () => () => Promise<pg.Client>][] = [
  ["always the same session", () => pooler(() => sessions[0] as pg.Client)],
  [
    "each session in turn",
    () => {
      let asked = 0;
      return pooler(() => sessions[asked++ % sessions.length] as pg.Client);
    },
  ],
];

describe("a pooler that gives every statement another session", () => {
  test.each(poolers)("is detected: %s", async (_, connect) => {
    expect(await keepsSessions(connect())).toBe(false);
  });

  test("is refused with the reason", async () => {
    const connect = pooler(() => sessions[0] as pg.Client);
    const at = "postgresql://bursar:hunter2@db.internal:6432/bursar";
    await expect(requireUsable({ pool: made.db.pool, url: at, connect })).rejects.toThrow(
      /^The PostgreSQL at db\.internal:6432 \(DATABASE_URL\) is behind a pooler that does not keep sessions, and Bursar needs them: set `pool_mode = session` there, or name the server itself\.$/,
    );
  });
});

describe("a server that keeps sessions", () => {
  test("is accepted, also if it has no connection to spare for the check", async () => {
    for (let times = 0; times < 5; times++) expect(await keepsSessions(made.db.connect)).toBe(true);
    const full = () => Promise.reject(new Error("sorry, too many clients already"));
    await requireUsable({ ...made.db, connect: full });
    const db = await openDatabase({
      databaseUrl: made.db.url,
      dataDir: "/nowhere",
      poolSize: 1,
      log: silentLog,
    });
    await db.close();
  });
});

const QUERY = "Q".charCodeAt(0);

/** A pooler with this many sessions: later connections are accepted, but their first query waits for a session. */
async function fullPooler(url: string, places: number) {
  const open = new Set<Socket>();
  let come = 0;
  const { host, port } = parametersOf(url);
  const server = createServer((client) => {
    const isLate = ++come > places;
    const upstream = connect(
      host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) },
    );
    open.add(client);
    client.on("data", (bytes) => (isLate && bytes[0] === QUERY) || upstream.write(bytes));
    upstream.on("data", (bytes) => client.write(bytes));
    client.on("error", () => {}).on("close", () => open.delete(client) && upstream.destroy());
    upstream.on("error", () => {}).on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = url.replace(/@[^/]*/, `@127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url: at, open, close: () => server.close(), come: () => come };
}

test("a pooler without a second session is accepted after a short wait, and no connection is left", async () => {
  const lost: string[] = [];
  const pooler = await fullPooler(made.db.url, 2);
  const log = { ...silentLog, warn: (event: string) => void lost.push(event) };
  const db = connectDatabase({ url: pooler.url, poolSize: 1, log });
  const startedMs = performance.now();
  await requireUsable({ ...db, withinMs: 90 });
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  expect(pooler.come()).toBeGreaterThan(1);
  await db.close();
  while (pooler.open.size > 0) await Bun.sleep(5);
  expect(lost).toEqual([]);
  pooler.close();
});
