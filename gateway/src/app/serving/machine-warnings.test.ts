import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Database } from "../../db/index.ts";
import { createTestDatabase } from "../../db/testing.ts";
import { silentLog } from "../../telemetry/index.ts";
import { warnOfMachine } from "./machine-warnings.ts";

const database = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), "bursar-limits-"));
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function warningsOf({ db = database.db, limitsFile }: { db?: Database; limitsFile?: string } = {}) {
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (...line: unknown[]) => void warnings.push(line) };
  await warnOfMachine({ db, log, limitsFile: limitsFile ?? join(folder, "absent") });
  return warnings;
}

test("a clock more than a minute ahead of or behind the database's is logged", async () => {
  expect(await warningsOf()).toEqual([]);
  await database.advanceClock(50_000);
  expect(await warningsOf()).toEqual([]);
  await database.advanceClock(25_000);
  expect(await warningsOf()).toEqual([
    [
      "clock_differs",
      {
        error: expect.stringMatching(
          /^This machine's clock is 7[45] s behind the database's\. Synchronize both clocks with NTP\.$/,
        ),
      },
    ],
  ]);
  await database.advanceClock(-200_000);
  expect(await warningsOf()).toEqual([
    ["clock_differs", { error: expect.stringContaining("ahead of the database's") }],
  ]);
  await database.advanceClock(125_000);
});

test("a database that goes away while clocks are compared does not stop the start", async () => {
  const db = connectDatabase({ url: "postgres://nobody@127.0.0.1:1/none", poolSize: 1, log: silentLog });
  expect(await warningsOf({ db })).toEqual([
    ["clock_not_compared", { error: expect.stringContaining("ECONNREFUSED") }],
  ]);
  await db.close();
});

test.each([
  ["300                  4096", ["open_files_limited"]],
  ["1023                 1023", ["open_files_limited"]],
  ["1024                 4096", []],
  ["unlimited            unlimited", []],
])("a limit of %p open files logs %p", async (limits, events) => {
  const limitsFile = join(folder, "limits");
  writeFileSync(
    limitsFile,
    `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${limits}                 files\nMax locked memory         100                  100                  bytes\n`,
  );
  const told = (await warningsOf({ limitsFile })) as [string, { error: string }][];
  expect(told.map(([event]) => event)).toEqual(events);
  expect(told.every(([, { error }]) => error.includes(` ${Number.parseInt(limits, 10)} files`))).toBe(true);
});
