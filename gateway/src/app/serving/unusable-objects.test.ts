import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../telemetry/index.ts";
import { inspectConfig } from "../settings.ts";
import { warnOfUnusableObjects } from "./unusable-objects.ts";

const root = mkdtempSync(join(tmpdir(), "bursar-objects-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function warningsWith(env: Record<string, string>): Promise<unknown[]> {
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (...line: unknown[]) => void warnings.push(line) };
  await warnOfUnusableObjects({ config: inspectConfig(env, root).config, log });
  return warnings;
}

test("an objects folder that cannot be created is logged with its setting", async () => {
  const file = join(root, "a-file");
  writeFileSync(file, "");
  for (const folder of ["/proc/no-such-folder", file, join(file, "objects")]) {
    expect(await warningsWith({ BURSAR_OBJECTS_DIR: folder })).toEqual([
      [
        "objects_unusable",
        {
          error: expect.stringMatching(
            new RegExp(`^The folder ${folder} \\(BURSAR_OBJECTS_DIR\\) cannot be used: E[A-Z]+: `),
          ),
        },
      ],
    ]);
  }
});

test("an objects folder is created without a warning; a bucket is not checked", async () => {
  const folder = join(root, "some", "objects");
  expect(await warningsWith({ BURSAR_OBJECTS_DIR: folder })).toEqual([]);
  expect(existsSync(folder)).toBe(true);
  const bucket = {
    BURSAR_S3_BUCKET: "library",
    BURSAR_S3_ACCESS_KEY_ID: "a",
    BURSAR_S3_SECRET_ACCESS_KEY: "b",
  };
  expect(await warningsWith(bucket)).toEqual([]);
});
