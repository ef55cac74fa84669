import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { createTestDatabase, type TestDatabase } from "../../gateway/src/db/testing.ts";
import { newId } from "../../gateway/src/kit/index.ts";
import { startTestServer, type TestServer } from "../../scripts/test-server.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type Seen, seeJson, seeStream } from "./chat-client.ts";
import { expectQuiet } from "./ending.ts";

/**
 * A full disk under PostgreSQL, simulated by the system's limit on file sizes: beyond it a write fails as on a full
 * disk, and the limit can be lifted again. Uses its own server, because some of this crashes it.
 */
const CREDITS = 1_000;
const CALLS = 60;
const UNLIMITED = "unlimited";
const hasPrlimit = Bun.which("prlimit") !== null;
if (!hasPrlimit) console.warn("Skipped: full disks need prlimit, which this machine does not have.");

let server: TestServer;
let database: TestDatabase;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
  database = await createTestDatabase({ serverUrl: server.url });
  gateway = await startTestGateway({}, { database });
  own = await gateway.found({ credits: CREDITS });
});
afterEach(async () => {
  await limitFiles(UNLIMITED);
  own = await gateway.found({ credits: CREDITS });
});
afterAll(async () => {
  await gateway?.close();
  await server?.stop();
});

/** Limits the server's current processes only. Later ones are free of it, because the postmaster is. */
async function limitFiles(bytes: number | typeof UNLIMITED): Promise<void> {
  const { rows } = await database.db.pool.query<{ pid: number }>("select pid from pg_stat_activity");
  for (const { pid } of rows) {
    // Set as the process's own user, because root may lack the permission.
    const { uid, gid } = statSync(`/proc/${pid}`);
    const as = process.getuid?.() === 0 ? { uid, gid } : {};
    const set = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`], as);
    expect([set.status, String(set.stderr)]).toEqual([0, ""]);
  }
}

/** Adds old failed calls until their table is larger than any WAL file; returns its name. */
async function fillRequests(): Promise<string> {
  await database.db.pool.query(
    `insert into requests select $1, uuidv7(), now(), now(), 'call', 'failed', 'chat', 'm',
       gen_random_uuid(), null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, repeat('x', 400), null, null, null
     from generate_series(1, 40000)`,
    // An unknown organization, so that they are in no totals.
    [newId()],
  );
  const { rows } = await database.db.pool.query<{ name: string }>(
    "select tableoid::regclass::text as name from requests group by tableoid order by pg_relation_size(tableoid) desc",
  );
  const name = rows[0]?.name ?? "";
  // A bulk insert leaves empty pages behind.
  await database.db.pool.query(`vacuum full ${name}`);
  return name;
}

async function addPage(table: string): Promise<void> {
  await database.db.pool.query(
    `insert into ${table} select (r).* from (select jsonb_populate_record(x, jsonb_build_object(
       'request_id', uuidv7(), 'error_code', repeat('x', 1000))) as r from ${table} x limit 16) made`,
  );
}

async function heldCalls(): Promise<number> {
  return (await database.db.pool.query("select 1 from holds where org_id = $1", [own.id])).rowCount ?? 0;
}

async function sizeOf(table: string): Promise<number> {
  const { rows } = await database.db.pool.query<{ size: string }>("select pg_relation_size($1) as size", [
    table,
  ]);
  return Number(rows[0]?.size);
}

function call(at: number): Promise<Seen> {
  const see = at % 2 === 0 ? seeJson : seeStream;
  return see({ origin: gateway.origin, of: own, content: `call ${at}` });
}

const chargedBy = (seen: readonly Seen[]) =>
  seen.reduce((sum, { body }) => sum + Number(body["credits_charged"] ?? 0), 0);

test.skipIf(!hasPrlimit)(
  "no disk space for another row: calls wait until there is, and each is charged once",
  async () => {
    await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at)));
    const table = await fillRequests();
    const size = await sizeOf(table);
    expect(size).toBeGreaterThan(16 << 20);
    // The rest of the last page is soon used up.
    await limitFiles(size);
    let answered = 0;
    const calls = Array.from({ length: CALLS }, async (_, at) => {
      const seen = await call(at);
      answered++;
      return seen;
    });
    await expect(addPage(table)).rejects.toThrow("could not extend file");
    while ((await heldCalls()) + answered < CALLS) await Bun.sleep(10);
    expect(answered).toBeLessThan(CALLS);
    expect(await sizeOf(table)).toBe(size);
    await limitFiles(UNLIMITED);
    const seen = await Promise.all(calls);
    expect(seen.map(({ ended }) => ended)).toEqual(Array(CALLS).fill("done"));
    expect(await sizeOf(table)).toBeGreaterThan(size);
    await expectQuiet(database.db, own.id, CREDITS - 2 * CALLS);
  },
);

test.skipIf(!hasPrlimit)(
  "no disk space for the log: PostgreSQL crashes and recovers, and the credits fall by the charges reported",
  async () => {
    const started = await postmasterChildren();
    const first = await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at)));
    await limitFiles(4096);
    const seen = await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at).catch(() => null)));
    const told = seen.filter((each) => each !== null);
    expect(told).toHaveLength(CALLS);
    expect(await postmasterChildren()).not.toEqual(started);
    const later = await call(0);
    expect(later.ended).toBe("done");
    await expectQuiet(database.db, own.id, CREDITS - chargedBy([...first, ...told, later]));
  },
);

/** The server's own processes, which change after a crash. */
async function postmasterChildren(): Promise<unknown[]> {
  for (let tries = 0; ; tries++) {
    try {
      const { rows } = await database.db.pool.query(
        "select pid from pg_stat_activity where backend_type in ('checkpointer', 'walwriter') order by 1",
      );
      return rows;
    } catch (error) {
      if (tries === 200) throw error;
      await Bun.sleep(50);
    }
  }
}
