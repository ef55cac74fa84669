import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createJobAdmitter } from "../../gateway/src/admission/index.ts";
import { connectDatabase } from "../../gateway/src/db/index.ts";
import { creditDelta, present } from "../../gateway/src/kit/index.ts";
import { createLedger, verifyLedger } from "../../gateway/src/ledger/index.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { openLedgerBooks } from "../ledger-books.ts";
import { admissionOf } from "../paid-items.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { targetOf, through } from "./faulty-database.ts";
import { MAIN } from "./node-process.ts";

/** An operator's corrections, and the trial run of a submission, over a link that fails at the worst moment. */

const POLL_MS = 5;
/** Each command is a process. */
const TEST_LIMIT_MS = 60_000;

const books = await openLedgerBooks();
const { db } = books;
const link = await startFaultProxy(targetOf(db.url));
const faultyUrl = through(db.url, link.port);
const faulty = connectDatabase({ url: faultyUrl, poolSize: 2, log: silentLog });
afterAll(async () => {
  link.set({ kind: "reset" });
  await faulty.close();
  await link.close();
  await books.database.drop();
});

let orgId: string;
beforeEach(async () => {
  link.set({ kind: "pass" });
  orgId = await books.found(100);
});

async function bursar(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const { PATH = "", HOME = "/nonexistent" } = process.env;
  const DATABASE_URL = faultyUrl;
  const child = Bun.spawn([process.execPath, MAIN, ...argv], {
    env: { PATH, HOME, DATABASE_URL, BURSAR_DATA_DIR: "/nonexistent", BURSAR_LOG_LEVEL: "silent" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

const changes = (word: string, ...more: string[]) =>
  bursar("credits", word, "--org", orgId, "--pool", "anytime", "--amount", "30", ...more);

async function faults(): Promise<number> {
  return (await verifyLedger(db, { orgId })).faults.length;
}

describe("an operator's command whose database reply is lost after the commit", () => {
  test.each([
    ["adjust", ["--reason", "x"], "were changed by 30 credits."],
    ["grant", [], "got 30 credits."],
  ] as const)(
    "reports success of `credits %s`, which was done once",
    async (word, more, told) => {
      const isCut = link.cutAnswerTo(`ledger_${word}`);
      const { code, out, err } = await changes(word, ...more);
      expect({ code, err, told: out.includes(told) }).toEqual({ code: 0, err: "", told: true });
      await isCut;
      expect(out).toContain("anytime       130 credits");
      expect([await books.balance(orgId), await faults()]).toEqual(["0+0 130+0", 0]);
    },
    TEST_LIMIT_MS,
  );
});

describe("a database link that stalls after a statement was sent", () => {
  /** The state of the session that ran the statement, as the server sees it. */
  async function sessionAfter(statement: string, work: () => Promise<unknown>): Promise<string> {
    const kept = link.keepBack(orgId);
    void work().catch(() => {});
    const deliver = await kept;
    link.set({ kind: "black_hole" });
    deliver();
    for (let tries = 0; tries < 1_000; tries++) {
      const { rows } = await db.pool.query<{ state: string }>(
        `select state from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like $1 and state <> 'active'`,
        [`%${statement}(%`],
      );
      if (rows.length > 0) return present(rows[0], "a session").state;
      await Bun.sleep(POLL_MS);
    }
    throw new Error("the statement did not arrive");
  }

  test("leaves the account unlocked after a correction", async () => {
    const correction = { orgId, pool: "anytime", amount: creditDelta(5), description: "x" } as const;
    const state = await sessionAfter("ledger_adjust", () => createLedger(faulty).adjust(correction));
    expect(state).toBe("idle");
  });

  test("leaves the account unlocked after a trial of a job", async () => {
    const { refuse } = createJobAdmitter({ db: faulty, lease: books.lease });
    const call = admissionOf(orgId, 20, { kind: "job", endpoint: "api-v1-video", model: "video" });
    const job = { order: "{}", reply: "{}", priceRuleId: "rule", deadlineMs: 60_000 };
    expect(await sessionAfter("_job", () => refuse(call, job))).toBe("idle");
    expect(await books.balance(orgId)).toBe("0+0 100+0");
  });
});
