import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClusterPaths, clusterPaths } from "./cluster-paths.ts";
import { fatalReason, logSize, openServerLog, readLogFrom } from "./server-log.ts";

let dataDir: string;
let paths: ClusterPaths;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  paths = clusterPaths(dataDir);
  mkdirSync(paths.home);
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("a log over ten megabytes is rotated, and one older file is kept", () => {
  closeSync(openServerLog(paths));
  truncateSync(paths.log, 10 * 1024 * 1024);
  closeSync(openServerLog(paths));
  expect(existsSync(`${paths.log}.1`)).toBe(false);
  truncateSync(paths.log, 10 * 1024 * 1024 + 1);
  closeSync(openServerLog(paths));
  expect(logSize(paths)).toBe(0);
  expect(existsSync(`${paths.log}.1`)).toBe(true);
});

test("the reason of a failed start is the last fatal line of that start", () => {
  writeFileSync(paths.log, "2026-01-01 00:00:00 UTC [1] FATAL:  an old reason\n");
  const start = logSize(paths);
  const added =
    "2026-01-02 00:00:00 UTC [2] LOG:  starting\n2026-01-02 00:00:00 UTC [2] FATAL:  no space left\n";
  writeFileSync(paths.log, added, { flag: "a" });
  expect(fatalReason(readLogFrom(paths, start))).toBe("no space left");
  expect(fatalReason(readLogFrom(paths, logSize(paths)))).toBeUndefined();
});

test("the reason of a start that failed before it logged is the program's own message", () => {
  const said =
    'postgres: could not access the server configuration file "/data/postgresql.conf": Permission denied\n';
  expect(fatalReason(`2026-01-02 00:00:00 UTC [2] LOG:  starting\n${said}\n`)).toBe(
    'could not access the server configuration file "/data/postgresql.conf": Permission denied',
  );
  expect(fatalReason(`2026-01-02 00:00:00 UTC [2] FATAL:  no space left\n${said}`)).toBe("no space left");
});
