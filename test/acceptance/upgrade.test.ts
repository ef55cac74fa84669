import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyTree } from "../../scripts/mutation/tree-copy.ts";
import { makeTestFolder } from "../test-folder.ts";
import { chatStatus, runCommand, startGateway, totalCredits } from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;
const CALLERS = 6;
const ROOT = join(import.meta.dir, "..", "..");

/**
 * What a later version may bring: a slow migration that changes the tables that every call writes and that files are
 * read by.
 */
const NEXT_MIGRATION = `
  alter table requests add column note_of_the_next_version text;
  alter table accounts add column note_of_the_next_version text;
  alter table assets add column note_of_the_next_version text;
  create table of_the_next_version (id uuid primary key);
  select pg_sleep(0.3);
`;

test(
  "replacing one of two nodes under load by a version with a migration fails no call on the other node",
  async () => {
    const dataDir = makeTestFolder();
    // No rate limit may interfere: the callers keep calling for as long as the other version takes to start.
    writeFileSync(join(dataDir, "bursar.yaml"), "plans: { pro: { requests_per_minute: 1000000 } }");
    const next = copyTree(ROOT);
    next.write("gateway/migrations/9999_next_version.sql", NEXT_MIGRATION);
    const stays = await startGateway(dataDir);
    const goes = await startGateway(dataDir);
    const key = /svc_live_[0-9A-Za-z]{43}/.exec(stays.welcome)?.[0] ?? "";
    let isOver = false;
    try {
      const picture = await makePicture(stays.origin, key);
      const before = await totalCredits(stays.origin, key);
      const statuses: number[] = [];
      const looks: number[] = [];
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!isOver) statuses.push(await chatStatus(stays.origin, key).catch(() => 0));
      });
      const looker = (async () => {
        while (!isOver)
          looks.push(
            await fetch(picture).then(
              ({ status }) => status,
              () => 0,
            ),
          );
      })();
      const lastCalls = Promise.all(
        Array.from({ length: CALLERS }, () => chatStatus(goes.origin, key).catch(() => 503)),
      );
      expect(await goes.stop("SIGTERM")).toBe(0);
      // Accepted calls were answered; calls that arrived after the drain began were told to go elsewhere.
      for (const status of await lastCalls) expect([200, 503]).toContain(status);

      const callsBefore = statuses.length;
      const program = [process.execPath, join(next.folder, "gateway", "src", "main.ts")];
      const comes = await startGateway(dataDir, {}, [], program);
      try {
        expect(await chatStatus(comes.origin, key)).toBe(200);
        expect((await fetch(`${stays.origin}/readyz`)).status).toBe(200);
        expect(statuses.length).toBeGreaterThan(callsBefore);
      } finally {
        isOver = true;
        await Promise.all([looker, ...callers]);
        expect(await comes.stop("SIGTERM")).toBe(0);
      }
      expect(new Set([...statuses, ...looks])).toEqual(new Set([200]));
      const ended = await totalCredits(stays.origin, key);
      expect(before - ended).toBeGreaterThan(statuses.length);
      expect(before - ended).toBeLessThanOrEqual(statuses.length + CALLERS + 1);
      expect(await runCommand(program, dataDir, ["ledger", "verify"])).toMatchObject({ faults: [] });
    } finally {
      isOver = true;
      await Promise.all([goes.stop("SIGTERM"), stays.stop("SIGTERM")]);
      next.remove();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

/** Returns the URL of a new file. */
async function makePicture(origin: string, key: string): Promise<string> {
  const response = await fetch(`${origin}/functions/v1/api-v1-images`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", prompt: "a cat" }),
  });
  return /http[^"]+/.exec(await response.text())?.[0] ?? "";
}
