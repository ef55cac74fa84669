import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "./config.ts";
import { pendingMigrations } from "./db/index.ts";
import { createEmptyDatabase } from "./db/testing.ts";
import { openServices } from "./services.ts";
import { silentLog } from "./telemetry/index.ts";

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

async function open(prepares: boolean): Promise<{ files: string[]; isMigrated: boolean }> {
  const config = loadConfig({ DATABASE_URL: database.db.url, BURSAR_DATA_DIR: dataDir }, dataDir);
  const services = await openServices(config, { log: silentLog, prepares });
  await services.close();
  return { files: readdirSync(dataDir), isMigrated: (await pendingMigrations(database.db)).length === 0 };
}

test("a command takes database and data folder as they are; a process that serves makes what is missing", async () => {
  expect(await open(false)).toEqual({ files: [], isMigrated: false });
  expect(await open(true)).toEqual({ files: ["secret"], isMigrated: true });
});
