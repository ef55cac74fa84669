import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "./config/index.ts";
import { pendingMigrations } from "./db/index.ts";
import { createEmptyDatabase } from "./db/testing.ts";
import { openServices } from "./services.ts";
import { type Log, silentLog } from "./telemetry/index.ts";

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

test("a command takes database and data folder as they are; a process that serves makes what is missing", async () => {
  expect(await open(false)).toEqual({ files: [], isMigrated: false });
  expect(await open(true)).toEqual({ files: ["secret"], isMigrated: true });
});

test("a secret that is made beside a database that was served is told: it takes the place of a lost one", async () => {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  await open(true, log);
  rmSync(join(dataDir, "secret"));
  // As by an operator who prepares everything before the first start.
  await open(true, log);
  expect(warnings).toEqual([]);
  await database.db.pool.query("insert into price_rules (id, model, rule) values ('r', 'm', '{}')");
  await open(true, log);
  expect(warnings).toEqual([]);
  rmSync(join(dataDir, "secret"));
  await open(true, log);
  expect(warnings).toEqual(["secret_made"]);
});
