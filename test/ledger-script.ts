import { type AdmissionCall, createAdmitter } from "../gateway/src/admission/index.ts";
import { createTestDatabase, type TestDatabase } from "../gateway/src/db/testing.ts";
import { type Clock, creditDelta, credits, newId, present } from "../gateway/src/kit/index.ts";
import {
  createLedger,
  type LeaseKeeper,
  type Pool,
  sweepHolds,
  verifyLedger,
} from "../gateway/src/ledger/index.ts";
import { takeLease } from "../gateway/src/ledger/lease/lease.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { admissionOf, releaseOf, settlementOf } from "./paid-items.ts";
import { payMonths } from "./pay-months.ts";
import { runJobs } from "./run-jobs.ts";

/**
 * Runs a test of the ledger that is written as a table, one step per line, so that a reviewer can read it:
 *
 *     hold a 60     -> admitted 60     | subscription 0+50 anytime 90+10
 *
 * The command comes first, then its outcome, then available+held of both pools. The ledger's answers are written in the
 * same form, so that a failing test shows two tables. Every script ends with an audit.
 */
type LedgerDesk = {
  run(script: string): Promise<{ expected: string; actual: string }>;
  close(): Promise<void>;
};

type Books = {
  readonly test: TestDatabase;
  readonly ledger: ReturnType<typeof createLedger>;
  readonly orgId: string;
  readonly calls: Map<string, AdmissionCall>;
  lease: LeaseKeeper;
  readonly clock: Clock & { skewMs: number };
};

const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * present(UNITS_MS[text.slice(-1)], `unit of ${text}`);
}

export async function openLedgerDesk(): Promise<LedgerDesk> {
  const test = await createTestDatabase();
  return {
    async run(script) {
      const books = await openBooks(test);
      const lines = script.trim().split("\n").map(normalize);
      const actual: string[] = [];
      for (const line of lines) {
        const command = present(line.split("->")[0], "a command").trim();
        const outcome = await perform(books, command.split(" "));
        const account = await books.ledger.account(books.orgId);
        actual.push(
          `${command} -> ${outcome} | subscription ${account.subscriptionAvailable}+${account.subscriptionHeld} anytime ${account.anytimeAvailable}+${account.anytimeHeld}`,
        );
      }
      const audit = await verifyLedger(test.db, { orgId: books.orgId });
      actual.push(...audit.faults.map((fault) => `audit: ${fault.table} ${fault.row}: ${fault.what}`));
      await books.lease.leave();
      return { expected: lines.join("\n"), actual: actual.join("\n") };
    },
    close: () => test.drop(),
  };
}

function normalize(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

async function openBooks(test: TestDatabase): Promise<Books> {
  const orgId = newId();
  await createOrganization(test, orgId);
  await test.freezeClock(new Date("2031-01-01T00:00:00Z"));
  const clock = {
    skewMs: 0,
    nowMs: () => Date.now() + clock.skewMs,
    elapsedMs: () => performance.now() + clock.skewMs,
  };
  const lease = await joinAs(test, clock);
  return { test, ledger: createLedger(test.db), orgId, calls: new Map(), lease, clock };
}

export async function createOrganization(test: TestDatabase, orgId: string): Promise<void> {
  await test.db.pool.query(
    `insert into organization (id, name, slug, "createdAt") values ($1::uuid, $1::text, $1::text, now())`,
    [orgId],
  );
}

function joinAs(test: TestDatabase, clock: Clock): Promise<LeaseKeeper> {
  return takeLease({ db: test.db, log: silentLog, clock, onLost: () => {} });
}

async function perform(books: Books, words: string[]): Promise<string> {
  const [verb = "", ...rest] = words;
  const action = present(VERBS[verb], `a meaning of ${verb}`);
  return action(books, rest);
}

function flag(words: string[], name: string): string | undefined {
  const at = words.indexOf(name);
  return at < 0 ? undefined : words[at + 1];
}

const VERBS: Record<string, (books: Books, words: string[]) => Promise<string>> = {
  /** grant POOL N [for DURATION] [ref R] */
  async grant(books, words) {
    const lasting = flag(words, "for");
    const result = await books.ledger.grant({
      orgId: books.orgId,
      pool: words[0] as Pool,
      amount: credits(Number(words[1])),
      reference: flag(words, "ref") ?? null,
      expiresAt: lasting ? new Date((await databaseNow(books)) + durationMs(lasting)) : null,
      kind: "manual",
      description: "by hand",
    });
    return result.outcome;
  },
  /** renew N for DURATION [ref R] */
  async renew(books, words) {
    const now = await databaseNow(books);
    const result = await books.ledger.renew({
      orgId: books.orgId,
      amount: credits(Number(words[0])),
      startsAt: new Date(now),
      endsAt: new Date(now + durationMs(present(flag(words, "for"), "a duration"))),
      reference: flag(words, "ref") ?? null,
      description: "plan",
    });
    await payMonths(books.test.db);
    return result.outcome;
  },
  /** adjust POOL ±N */
  async adjust(books, words) {
    const result = await books.ledger.adjust({
      orgId: books.orgId,
      pool: words[0] as Pool,
      amount: creditDelta(Number(words[1])),
      description: "correction",
    });
    return result.outcome;
  },
  /** hold NAME N | MIN..FULL [job] [rate N] [flight N] */
  async hold(books, words) {
    const name = present(words[0], "a name");
    const [minimum, full] = present(words[1], "an amount").split("..").map(Number);
    const call = admissionOf(books.orgId, minimum ?? 0, {
      full: credits(full ?? minimum ?? 0),
      kind: words.includes("job") ? "job" : "call",
      requestsPerMinute: Number(flag(words, "rate") ?? 1_000_000),
      inFlight: Number(flag(words, "flight") ?? 1_000_000),
    });
    books.calls.set(name, call);
    const admission = await createAdmitter({ db: books.test.db, lease: books.lease }).admit(call);
    if (call.kind === "job") await runJobs(books.test.db);
    if (admission.outcome === "admitted") return `admitted ${admission.granted}`;
    if (admission.outcome === "insufficient") return `insufficient ${admission.available} ${admission.held}`;
    return admission.outcome;
  },
  /** settle NAME COST */
  async settle(books, words) {
    const call = present(books.calls.get(words[0] ?? ""), "a held call");
    const settled = await books.ledger.settle(settlementOf(call, credits(Number(words[1]))));
    const lost = settled.writtenOff > 0 ? ` lost ${settled.writtenOff}` : "";
    return `${settled.outcome} ${settled.chargedSubscription}+${settled.chargedAnytime}${lost}`;
  },
  async release(books, words) {
    const call = present(books.calls.get(words[0] ?? ""), "a held call");
    return (await books.ledger.settle(releaseOf(call))).outcome;
  },
  async wait(books, words) {
    await books.test.advanceClock(durationMs(present(words[0], "a duration")));
    return "ok";
  },
  /**
   * The process dies without releasing its holds; another one takes over and has kept its own lease for long enough.
   */
  async crash(books) {
    books.lease = await joinAs(books.test, books.clock);
    return "ok";
  },
  async sweep(books) {
    for (let i = 0; i < 4; i++) {
      await books.test.advanceClock(5_000);
      books.clock.skewMs += 5_000;
      await books.lease.renew();
    }
    const released = await sweepHolds({ db: books.test.db, log: silentLog, lease: books.lease });
    return `released ${released}`;
  },
};

async function databaseNow(books: Books): Promise<number> {
  const result = await books.test.db.pool.query<{ now: Date }>("select bursar_now() as now");
  return present(result.rows[0], "the time").now.getTime();
}
