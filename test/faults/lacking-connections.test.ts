import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "../../gateway/src/db/testing.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";

const ROLE = `test_few_connections_${process.pid}`;
let database: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  database = await createTestDatabase();
  // Connection limits do not apply to the owner of the tables, who is a superuser here.
  await database.db.pool.query(`do $$ begin
    execute format('create role ${ROLE} login password ''x'' in role %I', current_user); end $$`);
  const url = database.db.url.replace(/\/\/[^@]*@/, `//${ROLE}:x@`);
  gateway = await startTestGateway({ DATABASE_URL: url }, { database });
});
// The role disappears with the test server, and what it created with the database.
afterAll(() => gateway.close());

const allow = (connections: number) =>
  database.db.pool.query(`alter role ${ROLE} connection limit ${connections}`);

/** Connections of the paid path that are still unused: only they run this statement when they open. */
const UNUSED_LANES = `from pg_stat_activity where usename = '${ROLE}' and query like '%enable_seqscan%'`;

async function readiness(): Promise<unknown> {
  const response = await fetch(`${gateway.origin}/readyz`);
  return [response.status, await response.json()];
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(50);
}

test("a node without a database connection for paid calls is not ready until it gets one", async () => {
  const { rows } = await database.db.pool.query(`select count(*)::int as count ${UNUSED_LANES}`);
  // For settlements of calls, settlements of media, and admissions.
  expect(rows[0].count).toBeGreaterThanOrEqual(3);
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  await allow(0);
  await database.db.pool.query(`select pg_terminate_backend(pid, 5000) ${UNUSED_LANES}`);
  await until(async () => (await fetch(`${gateway.origin}/readyz`)).status === 503);
  expect(await readiness()).toEqual([
    503,
    {
      status: "not_ready",
      reason:
        "The database has no connection left for this process: see its max_connections, the role's limit and BURSAR_DATABASE_POOL.",
    },
  ]);
  await allow(-1);
  await until(async () => (await fetch(`${gateway.origin}/readyz`)).status === 200);
});
