import { expect, test } from "bun:test";
import { join } from "node:path";
import { readLockFiles } from "./lock-file.ts";
import { makeNotices } from "./notices.ts";
import { runtimeTree } from "./sbom.ts";

const ROOT = join(import.meta.dir, "..", "..");

test("the notices name every package of the gateway, once with the text of its licence", () => {
  const notices = makeNotices(ROOT);
  const [lock] = readLockFiles(ROOT);
  const packages =
    lock === undefined ? [] : runtimeTree(lock).map(({ locked }) => `${locked.name} ${locked.version}`);
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter((name) => !notices.includes(name))).toEqual([]);
  expect(notices).toContain("Permission is hereby granted, free of charge");
});
