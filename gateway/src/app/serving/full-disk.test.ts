import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectConfig } from "../settings.ts";
import { folderOnFullDisk } from "./full-disk.ts";

const dataDir = mkdtempSync(join(tmpdir(), "bursar-disk-"));
const objectsDir = mkdtempSync(join(tmpdir(), "bursar-disk-"));
afterAll(() => {
  for (const folder of [dataDir, objectsDir]) rmSync(folder, { recursive: true, force: true });
});

const configOf = (env: Record<string, string>) =>
  inspectConfig({ BURSAR_DATA_DIR: dataDir, ...env }, dataDir).config;
/** More than any disk has. */
const ALL = Number.MAX_SAFE_INTEGER;
const EXTERNAL = { DATABASE_URL: "postgres://bursar@db.example/bursar" };

test("a full disk is that of the data folder if the database is in it, or that of the library", async () => {
  expect(await folderOnFullDisk(configOf({}), ALL)).toBe(dataDir);
  const apart = configOf({ ...EXTERNAL, BURSAR_OBJECTS_DIR: objectsDir });
  expect(await folderOnFullDisk(apart, ALL)).toBe(objectsDir);
});

test("a disk with room, one of another server and a folder that is not there yet are not full", async () => {
  expect(await folderOnFullDisk(configOf({}), 0)).toBeNull();
  const absent = configOf({ ...EXTERNAL, BURSAR_OBJECTS_DIR: join(objectsDir, "absent") });
  expect(await folderOnFullDisk(absent, ALL)).toBeNull();
  const bucket = {
    BURSAR_S3_BUCKET: "b",
    BURSAR_S3_ACCESS_KEY_ID: "k",
    BURSAR_S3_SECRET_ACCESS_KEY: "s".repeat(20),
  };
  expect(await folderOnFullDisk(configOf({ ...EXTERNAL, ...bucket }), ALL)).toBeNull();
});
