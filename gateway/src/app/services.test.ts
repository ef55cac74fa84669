import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pendingMigrations } from "../db/index.ts";
import { createEmptyDatabase } from "../db/testing.ts";
import { type Log, silentLog } from "../telemetry/index.ts";
import { openServices, startServing } from "./services.ts";
import { loadConfig } from "./settings.ts";

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let dataDir: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  dataDir = mkdtempSync(join(tmpdir(), "bursar-services-"));
});

afterEach(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function open(
  prepares: boolean,
  log: Log = silentLog,
): Promise<{ files: string[]; isMigrated: boolean }> {
  const config = loadConfig({ DATABASE_URL: database.db.url, BURSAR_DATA_DIR: dataDir }, dataDir);
  const services = await openServices(config, { log, prepares });
  await services.close();
  return { files: readdirSync(dataDir), isMigrated: (await pendingMigrations(database.db)).length === 0 };
}

test("a command leaves database and data folder as they are; a process that serves creates what is missing", async () => {
  expect(await open(false)).toEqual({ files: [], isMigrated: false });
  expect(await open(true)).toEqual({ files: ["secret"], isMigrated: true });
});

test("a secret created beside a database that was already used is logged as secret_made", async () => {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  await open(true, log);
  rmSync(join(dataDir, "secret"));
  // Like an operator who prepares everything before the first start.
  await open(true, log);
  expect(warnings).toEqual([]);
  await database.db.pool.query("insert into price_rules (id, model, rule) values ('r', 'm', '{}')");
  await open(true, log);
  expect(warnings).toEqual([]);
  rmSync(join(dataDir, "secret"));
  await open(true, log);
  expect(warnings).toEqual(["secret_made"]);
});

describe("a plan that is due at a start", () => {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  const organization = "00000000-0000-4000-8000-000000000001";

  async function subscriptionAfterStart(): Promise<number> {
    const config = loadConfig({ DATABASE_URL: database.db.url, BURSAR_DATA_DIR: dataDir }, dataDir);
    const services = await startServing(config, { log, runsAudits: false, runsVideoJobs: false });
    const { subscriptionAvailable } = await services.ledger.account(organization);
    await services.close();
    return subscriptionAvailable;
  }

  beforeEach(async () => {
    await open(true);
    await database.db.pool.query(
      "insert into organization (id, name, slug, plan) values ($1, 'A', 'a', 'pro')",
      [organization],
    );
    warnings.length = 0;
  });

  test("is renewed once before the first call", async () => {
    expect(await subscriptionAfterStart()).toBe(50_000);
    expect(await subscriptionAfterStart()).toBe(50_000);
    expect(warnings).not.toContain("plans_not_renewed");
  });

  test("is left to the next start once the services close", async () => {
    const config = loadConfig({ DATABASE_URL: database.db.url, BURSAR_DATA_DIR: dataDir }, dataDir);
    const { billing, close } = await openServices(config, { log });
    await close();
    expect(await billing.renewDue()).toEqual({ renewed: 0, failed: 0 });
    expect(warnings).toEqual([]);
  });

  test("that cannot be renewed does not stop the start", async () => {
    await database.db.pool.query("alter table subscriptions rename column renews_at to elsewhere");
    expect(await subscriptionAfterStart()).toBe(0);
    expect(warnings).toContain("plans_not_renewed");
  });
});
