import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../../../test/test-folder.ts";
import { ensureCluster } from "./cluster.ts";
import { clusterPaths } from "./cluster-paths.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = makeTestFolder();
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("ensureCluster removes a draft with our own process id, and leaves that of a living process", async () => {
  const draft = join(dataDir, `.postgres-draft-${process.pid}-0123456789ab`);
  const ofAnother = join(dataDir, `.postgres-draft-${process.ppid}-0123456789ab`);
  for (const folder of [draft, ofAnother, clusterPaths(dataDir).home]) mkdirSync(folder);
  await ensureCluster(dataDir, { binaries: "/nonexistent", user: null, sync: false });
  expect([existsSync(draft), existsSync(ofAnother)]).toEqual([false, true]);
});

test.each([
  ["sh: 1: locale: Permission denied", "sh: 1: locale: Permission denied"],
  ["initdb: error: no such locale", "initdb: error: no such locale"],
  ["could not create the link\nchild process exited with exit code 1", "could not create the link"],
  ["child process was terminated", "child process was terminated"],
])("ensureCluster reports why initdb failed, not that it cleaned up: %s", async (said, told) => {
  const bin = join(dataDir, "bin");
  mkdirSync(bin);
  const cleaning = 'initdb: removing contents of data directory "/data"';
  writeFileSync(join(bin, "initdb"), `#!/bin/sh\necho '${said}' >&2\necho '${cleaning}' >&2\nexit 1\n`);
  chmodSync(join(bin, "initdb"), 0o755);
  const made = ensureCluster(dataDir, { binaries: dataDir, user: null, sync: false });
  await expect(made).rejects.toThrow(`initdb failed (${told})`);
});
