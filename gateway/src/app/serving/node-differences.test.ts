import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { startTestBucket } from "../../../../test/s3-server.ts";
import { nameObjectsPlace, nameOfObjectsPlace } from "../../assets/index.ts";
import { catalogMark } from "../../catalog/index.ts";
import { catalogWith, TEXT_ENTRY } from "../../catalog/testing.ts";
import { checkNodes } from "../../cli/doctor/database.ts";
import { createTestDatabase } from "../../db/testing.ts";
import { systemClock } from "../../kit/index.ts";
import { createLeaseKeeper, nodeMarks } from "../../ledger/index.ts";
import { createMetrics, silentLog } from "../../telemetry/index.ts";
import { inspectConfig } from "../settings.ts";
import { createNodeComparison } from "./node-differences.ts";

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());
beforeEach(() => db.pool.query("delete from processes"));

const ONE = "0123456789".repeat(4);
const OTHER = "9876543210".repeat(4);

const parent = mkdtempSync(join(tmpdir(), "bursar-nodes-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const configOf = (secret: string, env: Record<string, string> = {}) =>
  inspectConfig({ BURSAR_SECRET: secret, DATABASE_URL: db.url, ...env }, parent).config;

type Config = ReturnType<typeof configOf>;

const catalogOf = (inputCredits: number) =>
  catalogWith({
    models: [{ ...TEXT_ENTRY, price: { input_per_million: inputCredits, output_per_million: 9 } }],
  });
const CATALOG = catalogOf(1);

/** Starts a node with these settings, and returns its warnings. */
async function start(config: Config, catalog = CATALOG) {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
  nameObjectsPlace(config.objects);
  const own = nodeMarks({
    secret: config.secret ?? "",
    objectsPlace: nameOfObjectsPlace(config.objects),
    catalogMark: catalogMark(catalog, config.limits),
  });
  const lease = await createLeaseKeeper({ db, log, clock: systemClock, marks: own, onLost: () => {} });
  const metrics = createMetrics();
  const nodes = createNodeComparison({ db, log, metrics, own, processId: lease.current.processId });
  await nodes.compare();
  return { warnings, lease, nodes, metrics };
}

const found = async (config: Config, catalog = CATALOG) =>
  (await checkNodes(db, config, catalog)).map(({ state, finding }) => [state, finding]);

test("nodes with the same secret and the same place for files get no warning", async () => {
  const first = await start(configOf(ONE));
  const second = await start(configOf(ONE));
  expect([first.warnings, second.warnings, await found(configOf(ONE))]).toEqual([[], [], []]);
  await Promise.all([first.lease.leave(), second.lease.leave()]);
});

test("a node with another secret is warned at its start and by the doctor while the other serves", async () => {
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

test("nodes with other prices or limits tell each other, once, until they agree", async () => {
  const first = await start(configOf(ONE));
  const second = await start(configOf(ONE), catalogOf(3));
  for (let minute = 0; minute < 2; minute++) await first.nodes.compare();
  expect([first.warnings, second.warnings]).toEqual([["catalog_differs"], ["catalog_differs"]]);
  expect(first.metrics.render()).toContain("bursar_nodes_differ 1\n");
  expect(await found(configOf(ONE), catalogOf(2))).toEqual([
    ["warning", expect.stringContaining("other models, prices, plans or limits")],
  ]);
  await second.lease.leave();
  await first.nodes.compare();
  expect(first.metrics.render()).toContain("bursar_nodes_differ 0\n");
  await first.lease.leave();
});

test("nodes that store files in different places are warned", async () => {
  const bucket = await startTestBucket();
  const first = await start(configOf(ONE));
  const second = await start(configOf(ONE, bucket.environment));
  expect(second.warnings).toEqual(["objects_differ"]);
  expect(await found(configOf(ONE, { BURSAR_OBJECTS_DIR: join(parent, "elsewhere") }))).toEqual([
    [
      "warning",
      expect.stringMatching(
        /says [0-9a-f]{32}; .*bucket library at .*here: files in|bucket library at .* says [0-9a-f]{32}; here: files in/,
      ),
    ],
  ]);
  await Promise.all([first.lease.leave(), second.lease.leave(), bucket.close()]);
});

test("a folder that nodes share is one place, wherever each has mounted it", async () => {
  const shared = join(parent, "shared");
  const mounted = join(parent, "mounted");
  mkdirSync(shared);
  symlinkSync(shared, mounted);
  const first = await start(configOf(ONE, { BURSAR_OBJECTS_DIR: shared }));
  const second = await start(configOf(ONE, { BURSAR_OBJECTS_DIR: mounted }));
  expect(second.warnings).toEqual([]);
  expect(await found(configOf(ONE, { BURSAR_OBJECTS_DIR: mounted }))).toEqual([]);
  const own = await start(configOf(ONE, { BURSAR_OBJECTS_DIR: join(parent, "own") }));
  expect(own.warnings).toEqual(["objects_differ"]);
  await Promise.all([first, second, own].map(({ lease }) => lease.leave()));
});

test("an objects folder that cannot be created is named with this host, and the start continues", async () => {
  const file = join(parent, "file");
  writeFileSync(file, "no folder");
  const config = configOf(ONE, { BURSAR_OBJECTS_DIR: join(file, "objects") });
  const { lease } = await start(config);
  expect(nameOfObjectsPlace(config.objects)).toBe(`files in ${file}/objects on ${hostname()}`);
  await lease.leave();
});

test("the mark of a secret has 6 characters, and a version without marks is not compared", async () => {
  const { secretMark } = nodeMarks({ secret: ONE, objectsPlace: "files", catalogMark: null });
  expect(secretMark).toHaveLength(6);
  await db.pool.query("select lease_acquire(gen_random_uuid(), 'old', 1)");
  const { warnings, lease } = await start(configOf(ONE));
  expect(warnings).toEqual([]);
  await lease.leave();
});
