import { afterAll, beforeAll, expect, test } from "bun:test";
import { connectDatabase, type Database } from "../db/index.ts";
import { silentLog } from "../telemetry/index.ts";
import type { OperatorServices } from "./operator-services.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

let cli: CliHarness;
let standby: Database;
beforeAll(async () => {
  cli = await createCliHarness();
  const url = new URL(cli.database.db.url);
  // Read-only in every transaction, as a standby is.
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  standby = connectDatabase({ url: url.href, poolSize: 2, log: silentLog });
  for (const org of ["acme", "globex"]) {
    await cli.json("org", "create", "--name", org);
    await cli.json("credits", "grant", "--org", org, "--pool", "anytime", "--amount", "100");
  }
});
afterAll(async () => {
  await standby.close();
  await cli.drop();
});

const verifyOnStandby = (...flags: string[]) =>
  cli.runWith(
    { openServices: async () => ({ db: standby, close: async () => {} }) as unknown as OperatorServices },
    ...["ledger", "verify", ...flags],
  );

async function checkpoints(): Promise<number> {
  const { rows } = await cli.database.db.pool.query("select from audit_checkpoints");
  return rows.length;
}

test("ledger verify on a standby succeeds without saving a checkpoint, and says so", async () => {
  expect(await verifyOnStandby()).toEqual({
    code: 0,
    out: "The ledger is sound: 2 entries of 2 organizations replayed, everything adds up.\nThe database takes no writes: no checkpoint was saved.\n",
    err: "",
  });
  expect(JSON.parse((await verifyOnStandby("--json")).out)).toMatchObject({
    ok: true,
    checkpoints_skipped: true,
  });
  expect(await checkpoints()).toBe(0);
  expect(await cli.json("ledger", "verify")).toMatchObject({ ok: true, checkpoints_skipped: false });
  expect(await checkpoints()).toBe(2);
});

test("ledger verify on a standby finds a forged entry beside a sound organization", async () => {
  await cli.database.db.transaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    await client.query(
      "update entries set description = 'forged' where org_id = (select min(org_id::text)::uuid from entries)",
    );
  });
  const { code, out } = await verifyOnStandby();
  expect([code, out]).toEqual([1, expect.stringContaining("entries seq 1")]);
});

test("ledger verify exits with 2 if it could not verify, not with 1", async () => {
  const nowhere = connectDatabase({ url: "postgres://bursar@127.0.0.1:1/none", poolSize: 1, log: silentLog });
  const close = () => nowhere.close();
  const openServices = async () => ({ db: nowhere, close }) as unknown as OperatorServices;
  const { code, err } = await cli.runWith({ openServices }, "ledger", "verify");
  expect([code, err]).toEqual([2, expect.stringContaining("ECONNREFUSED")]);
  // The same advice as after every other command that finds no database.
  expect(err).toContain("bursar doctor` looks for the cause");
  expect((await cli.run("ledger", "verify", "--org", "nobody")).code).toBe(2);
});
