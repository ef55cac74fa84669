import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostmaster, removeStaleLocks } from "./lock-file.ts";

let cluster: string;
let lock: string;

beforeEach(() => {
  cluster = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  lock = join(cluster, "postmaster.pid");
});

afterEach(() => rmSync(cluster, { recursive: true, force: true }));

/** A process with the folder as working directory, like a postmaster. */
function liveInCluster() {
  return Bun.spawn(["sleep", "30"], { cwd: cluster });
}

test("a lock file names a server only while a process works in its folder", async () => {
  const server = liveInCluster();
  writeFileSync(lock, `${server.pid}\n${cluster}\n1\n5433\n\n127.0.0.1\n 1 1\nready   \n`);
  expect(findPostmaster(cluster)).toEqual({ pid: server.pid, port: 5433, listensOnTcp: true, ready: true });
  removeStaleLocks(cluster);
  expect(existsSync(lock)).toBe(true);

  server.kill();
  await server.exited;
  expect(findPostmaster(cluster)).toBeUndefined();
  removeStaleLocks(cluster);
  expect(existsSync(lock)).toBe(false);
});

test("a server that is still writing its lock file is not ready", async () => {
  const server = liveInCluster();
  writeFileSync(lock, `${server.pid}\n${cluster}\n1\n`);
  expect(findPostmaster(cluster)).toEqual({ pid: server.pid, port: null, listensOnTcp: false, ready: false });
  server.kill();
  await server.exited;
});

test("an empty lock file is removed only once it is old", () => {
  writeFileSync(lock, "");
  removeStaleLocks(cluster);
  expect(existsSync(lock)).toBe(true);
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(lock, minuteAgo, minuteAgo);
  removeStaleLocks(cluster);
  expect(existsSync(lock)).toBe(false);
});
