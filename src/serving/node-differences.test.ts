import { afterAll, beforeEach, expect, test } from "bun:test";
import { startTestBucket } from "../../test/s3-server.ts";
import { objectsPlace } from "../assets/index.ts";
import { checkNodes } from "../cli/doctor/nodes.ts";
import { inspectConfig } from "../config/index.ts";
import { createTestDatabase } from "../db/testing.ts";
import { systemClock } from "../kit/index.ts";
import { createLeaseKeeper, nodeMarks } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { warnOfDifferences } from "./node-differences.ts";

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());
beforeEach(() => db.pool.query("delete from processes"));

const ONE = "0123456789".repeat(4);
const OTHER = "9876543210".repeat(4);

const configOf = (secret: string, env: Record<string, string> = {}) =>
  inspectConfig({ BURSAR_SECRET: secret, DATABASE_URL: db.url, ...env }, "/srv/bursar").config;

type Config = ReturnType<typeof configOf>;

/** Starts a node with these settings, and answers what it warned of. */
async function start(config: Config) {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  const own = nodeMarks({ secret: config.secret ?? "", objectsPlace: objectsPlace(config.objects) });
  const lease = await createLeaseKeeper({ db, log, clock: systemClock, marks: own, onLost: () => {} });
  await warnOfDifferences({ db, log, own, processId: lease.current.processId });
  return { warnings, lease };
}

const found = async (config: Config) =>
  (await checkNodes(db, config)).map(({ state, finding }) => [state, finding]);

test("nodes of one secret and one place for files have nothing to tell", async () => {
  const first = await start(configOf(ONE));
  const second = await start(configOf(ONE));
  expect([first.warnings, second.warnings, await found(configOf(ONE))]).toEqual([[], [], []]);
  await Promise.all([first.lease.leave(), second.lease.leave()]);
});

test("a node with another secret is told at its start and by the doctor, while the other serves and no longer", async () => {
  const first = await start(configOf(ONE));
  const second = await start(configOf(OTHER));
  expect([first.warnings, second.warnings]).toEqual([[], ["secret_differs"]]);
  expect(await found(configOf(ONE))).toEqual([
    ["warning", expect.stringContaining("a gateway with another secret")],
  ]);
  await first.lease.leave();
  expect(await found(configOf(OTHER))).toEqual([]);
  const replaced = await start(configOf(OTHER));
  expect(replaced.warnings).toEqual([]);
  await Promise.all([second.lease.leave(), replaced.lease.leave()]);
});

test("nodes that keep files in different places are told", async () => {
  const bucket = await startTestBucket();
  const first = await start(configOf(ONE));
  const second = await start(configOf(ONE, bucket.environment));
  expect(second.warnings).toEqual(["objects_differ"]);
  expect(await found(configOf(ONE, { BURSAR_OBJECTS_DIR: "/srv/elsewhere" }))).toEqual([
    [
      "warning",
      expect.stringMatching(
        /files in \/srv\/bursar\/data\/objects on .*bucket library at|bucket library at .*files in/,
      ),
    ],
  ]);
  await Promise.all([first.lease.leave(), second.lease.leave(), bucket.close()]);
});

test("the mark of a secret is too short to be one, and a version that says nothing is not compared", async () => {
  const { secretMark } = nodeMarks({ secret: ONE, objectsPlace: "files" });
  expect(secretMark).toHaveLength(6);
  await db.pool.query("select lease_acquire(gen_random_uuid(), 'old', 1)");
  const { warnings, lease } = await start(configOf(ONE));
  expect(warnings).toEqual([]);
  await lease.leave();
});
