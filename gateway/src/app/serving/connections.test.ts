import { afterAll, beforeAll, expect, test } from "bun:test";
import { connectDatabase } from "../../db/index.ts";
import { createEmptyDatabase } from "../../db/testing.ts";
import { silentLog } from "../../telemetry/index.ts";
import { inspectConfig } from "../settings.ts";
import { openPaidPath } from "./connections.ts";

const ROLE = `test_paid_path_${process.pid}`;
const { config } = inspectConfig({ BURSAR_DATABASE_POOL: "10" }, "/nowhere");
let made: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  made = await createEmptyDatabase();
});
afterAll(() => made.drop());

/** What is logged when the paid path is opened at this address. */
async function toldOf(url: string): Promise<unknown[]> {
  const told: unknown[] = [];
  const log = { ...silentLog, error: (...line: unknown[]) => void told.push(line) };
  const db = connectDatabase({ url, poolSize: 1, log });
  await openPaidPath({ db, log, config });
  await db.close();
  return told;
}

test("too few database connections are logged with how many are needed; admissions lack theirs first", async () => {
  await made.db.pool.query(`create role ${ROLE} login password 'x' connection limit 3`);
  const told = await toldOf(made.db.url.replace(/\/\/[^@]*@/, `//${ROLE}:x@`));
  await made.db.pool.query(`drop role ${ROLE}`);
  const error = expect.stringMatching(/^Error: no connection for admit: .*too many connections for role/);
  expect(told).toEqual([["paid_path_not_opened", { error, needs_up_to: 19 }]]);
});

test("a database that is away does not stop the start, and is logged", async () => {
  const error = expect.stringContaining("no connection for settle");
  expect(await toldOf("postgresql://nobody@127.0.0.1:1/none")).toEqual([["paid_path_not_opened", { error }]]);
});

test("nothing is logged if all connections open", async () => {
  expect(await toldOf(made.db.url)).toEqual([]);
});
