import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../test/test-folder.ts";
import { ensureCluster } from "./cluster.ts";
import { clusterPaths } from "./cluster-paths.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = makeTestFolder();
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("a draft of a killed start goes, though in a container it has our own process number", async () => {
  const draft = join(dataDir, `.postgres-draft-${process.pid}-0123456789ab`);
  const ofAnother = join(dataDir, `.postgres-draft-${process.ppid}-0123456789ab`);
  for (const folder of [draft, ofAnother, clusterPaths(dataDir).home]) mkdirSync(folder);
  await ensureCluster(dataDir, { binaries: "/nonexistent", user: null, sync: false });
  expect([existsSync(draft), existsSync(ofAnother)]).toEqual([false, true]);
});
