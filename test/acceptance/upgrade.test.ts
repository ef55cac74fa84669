import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyTree } from "../../scripts/mutation/place.ts";
import { makeTestFolder } from "../test-folder.ts";
import {
  bursar,
  chatStatus,
  makePicture,
  runCommand,
  startGateway,
  totalCredits,
} from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;
const CALLERS = 6;
const ROOT = join(import.meta.dir, "..", "..");
const readSql = (name: string) => readFileSync(join(ROOT, "gateway", "sql", name), "utf8");
const VERSION = Number.parseInt(readSql("version"), 10);

/**
 * What a later version may bring: a slow change of the tables that every call writes and that files are read by, and of
 * a function that writes them.
 */
const NEXT_CHANGE = `
  alter table requests add column note_of_the_next_version text;
  alter table accounts add column note_of_the_next_version text;
  alter table assets add column note_of_the_next_version text;
  create table of_the_next_version (id uuid primary key);
  select pg_sleep(0.3);
`;

test(
  "replacing one of two nodes under load by a version with other tables and functions fails no call on the other node",
  async () => {
    const dataDir = makeTestFolder();
    // No rate limit may interfere: the callers keep calling for as long as the other version takes to start.
    writeFileSync(join(dataDir, "bursar.yaml"), "plans: { pro: { requests_per_minute: 1000000 } }");
    const next = copyTree(ROOT);
    for (const [name, text] of Object.entries(nextSql())) next.write(`gateway/sql/${name}`, text);
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
      const lastStatuses = await lastCalls;
      for (const status of lastStatuses) expect([200, 503]).toContain(status);

      const callsBefore = statuses.length;
      const program = [process.execPath, join(next.folder, "gateway", "src", "main.ts")];
      const comes = await startGateway(dataDir, {}, [], [...program, "serve"]);
      try {
        expect(await chatStatus(comes.origin, key)).toBe(200);
        expect((await fetch(`${stays.origin}/readyz`)).status).toBe(200);
        expect(statuses.length).toBeGreaterThan(callsBefore);
        // It would put its own functions back.
        await expect(bursar(dataDir, "serve")).rejects.toThrow(
          `The database has version ${VERSION + 1} of the SQL, and this version of Bursar knows none after ${VERSION}`,
        );
      } finally {
        isOver = true;
        await Promise.all([looker, ...callers]);
        expect(await comes.stop("SIGTERM")).toBe(0);
      }
      expect(new Set([...statuses, ...looks])).toEqual(new Set([200]));
      const ended = await totalCredits(stays.origin, key);
      // A call costs one credit: those before, those of the node that went, and one of the node that came.
      expect(before - ended).toBe(
        statuses.length + lastStatuses.filter((status) => status === 200).length + 1,
      );
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

function nextSql(): Record<string, string> {
  const settle = readSql("functions/ledger_settle.sql");
  return {
    version: String(VERSION + 1),
    [`changes/00${VERSION + 1}_next_version.sql`]: NEXT_CHANGE,
    "functions/ledger_settle.sql": settle.replace("p_reason[i])::requests", "p_reason[i], 'next')::requests"),
  };
}

/** Returns the URL of a new file. */
