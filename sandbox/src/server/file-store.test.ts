import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStore, nameOfContent } from "./file-store.ts";

const root = mkdtempSync(join(tmpdir(), "bursar-sandbox-files-"));
afterAll(() => rmSync(root, { recursive: true }));
const folderOf = (name: string) => join(root, name);
const bytes = new Uint8Array(100);
const HOUR_MS = 60 * 60_000;
const name = (of: string) => nameOfContent(of);

/** As if it had last been used so long ago. */
function age(folder: string, file: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  utimesSync(join(folder, file), then, then);
}

test("keeps a file for any process, and only for its owner", async () => {
  const folder = folderOf("shared");
  await createFileStore(folder, { maxBytes: 1_000, maxAgeMs: HOUR_MS }).put(name("a"), bytes);
  const found = await createFileStore(folder, { maxBytes: 1_000, maxAgeMs: HOUR_MS }).find(name("a"));
  expect(await found?.bytes()).toEqual(bytes);
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(readdirSync(folder)).toEqual([name("a")]);
});

test("takes no link for a folder: another user may have laid it, and what it leads to would be swept", () => {
  mkdirSync(folderOf("home"));
  symlinkSync(folderOf("home"), folderOf("link"));
  const open = () => createFileStore(folderOf("link"), { maxBytes: 1_000, maxAgeMs: HOUR_MS });
  expect(open).toThrow("belongs to somebody else");
});

test("a folder that was cleared away is made again, for its owner alone", async () => {
  const folder = folderOf("cleared");
  const store = createFileStore(folder, { maxBytes: 1_000, maxAgeMs: HOUR_MS });
  rmSync(folder, { recursive: true });
  await store.put(name("a"), bytes);
  expect(statSync(folder).mode & 0o077).toBe(0);
});

test("drops what has not been used the longest once there is too much", async () => {
  const folder = folderOf("full");
  const store = createFileStore(folder, { maxBytes: 250, maxAgeMs: HOUR_MS });
  for (const [at, each] of ["a", "b"].entries()) {
    await store.put(name(each), bytes);
    age(folder, name(each), (9 - at) * 1_000);
  }
  await store.find(name("a"));
  await store.put(name("c"), bytes);
  const left = await Promise.all(
    ["a", "b", "c"].map(async (each) => (await store.find(name(each))) !== null),
  );
  expect(left).toEqual([true, false, true]);
});

test("drops what is too old", async () => {
  const folder = folderOf("old");
  const store = createFileStore(folder, { maxBytes: 1_000, maxAgeMs: HOUR_MS });
  await store.put(name("a"), bytes);
  age(folder, name("a"), 2 * HOUR_MS);
  await store.put(name("b"), bytes);
  expect(readdirSync(folder)).toEqual([name("b")]);
});

test("finds nothing but its own files", async () => {
  const store = createFileStore(folderOf("own"), { maxBytes: 1_000, maxAgeMs: HOUR_MS });
  for (const other of ["", "..", "../full", "/etc/passwd", `../shared/${name("a")}`, `${name("a")}.mp4/x`])
    expect(await store.find(other)).toBeNull();
});
