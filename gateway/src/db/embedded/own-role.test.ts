import { afterAll, describe, expect, test } from "bun:test";
import pg from "pg";
import { silentLog } from "../../telemetry/index.ts";
import { connectDatabase } from "../database.ts";
import { migrate } from "../migrate.ts";
import { ensureCluster } from "./cluster.ts";
import { clusterPaths, loadPassword } from "./cluster-paths.ts";
import { createDataDirs, holdServer, queryServer } from "./embedded-testing.ts";
import { findBinaries } from "./postgres-binaries.ts";
import { postgresUser } from "./postgres-user.ts";
import { ensureRunning, stopServer } from "./postmaster.ts";
import { PRESENCE_LOCK } from "./presence.ts";
import { readableBinaries } from "./readable-binaries.ts";
import { urlOf } from "./server-address.ts";
import { THROWAWAY_SETTINGS } from "./throwaway-testing.ts";

const dataDirs = createDataDirs();
afterAll(() => dataDirs.remove());

const OWN_RIGHTS = `select rolname as name, rolsuper or rolcreaterole or rolcreatedb or rolreplication
  or rolbypassrls as has_more from pg_roles where rolname = current_user`;
const PLAIN = [{ name: "bursar", has_more: false }];

/** Everything in the gateway's schema, and the database, that the gateway's role does not own. */
const OWNED_BY_OTHERS = `
  select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) <> 'bursar'
  union all select proname from pg_proc
    where pronamespace = 'public'::regnamespace and pg_get_userbyid(proowner) <> 'bursar'
  union all select datname from pg_database
    where datname = current_database() and pg_get_userbyid(datdba) <> 'bursar'`;

/** The server of a data folder as initdb makes it, and as earlier versions served it: with one role, a superuser. */
async function startAsBefore(dataDir: string): Promise<string> {
  const paths = clusterPaths(dataDir);
  const installed = findBinaries();
  const user = postgresUser(paths.cluster);
  const binaries = readableBinaries(installed, user);
  await ensureCluster(dataDir, { binaries, user, sync: false });
  const server = { paths, binaries, user, settings: THROWAWAY_SETTINGS, log: silentLog };
  const url = urlOf(await ensureRunning(server), loadPassword(paths));
  await queryServer(url, "create database bursar");
  return url.replace(/postgres$/, "bursar");
}

describe("the role of the embedded PostgreSQL", () => {
  test("is no superuser in a new data folder, however many processes start at once", async () => {
    const dataDir = dataDirs.create();
    const holders = [holdServer(dataDir), holdServer(dataDir), holdServer(dataDir)];
    for (const holder of holders) expect(await queryServer(await holder.url(), OWN_RIGHTS)).toEqual(PLAIN);
    await Promise.all(holders.map((holder) => holder.leave()));
  });

  test("becomes a plain owner of all that an earlier version made, at the same address", async () => {
    const dataDir = dataDirs.create();
    const before = await startAsBefore(dataDir);
    const db = connectDatabase({ url: before, poolSize: 1, log: silentLog });
    await migrate(db, silentLog);
    await db.pool.query("select make_request_partitions()");
    await db.close();
    await stopServer(clusterPaths(dataDir), silentLog);

    for (const start of ["the first", "the second"]) {
      const holder = holdServer(dataDir);
      const url = await holder.url();
      expect(url, start).toBe(before);
      expect(await queryServer(url, OWN_RIGHTS), start).toEqual(PLAIN);
      expect(await queryServer(url, OWNED_BY_OTHERS), start).toEqual([]);
      await queryServer(url, "alter table requests add column of_a_later_version text");
      await queryServer(url, "alter table requests drop column of_a_later_version");
      await holder.leave();
    }
  });

  test("waits until no process of an earlier version is attached", async () => {
    const dataDir = dataDirs.create();
    const before = await startAsBefore(dataDir);
    const attached = new pg.Client({ connectionString: before.replace(/bursar$/, "postgres") });
    await attached.connect();
    await attached.query("select pg_advisory_lock_shared($1)", [PRESENCE_LOCK]);

    const beside = holdServer(dataDir);
    const [role] = await queryServer(await beside.url(), OWN_RIGHTS);
    expect(role).toEqual({ name: "bursar", has_more: true });
    await beside.leave();
    await attached.end();
    const alone = holdServer(dataDir);
    expect(await queryServer(await alone.url(), OWN_RIGHTS)).toEqual(PLAIN);
    await alone.leave();
  });
});
