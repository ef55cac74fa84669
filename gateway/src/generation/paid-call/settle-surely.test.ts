import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createOrganization } from "../../../../test/ledger-script.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../../test/paid-items.ts";
import { type AdmissionCall, createAdmitter } from "../../admission/index.ts";
import { connectDatabase } from "../../db/index.ts";
import { createTestDatabase } from "../../db/testing.ts";
import { type Clock, credits, newId, systemClock } from "../../kit/index.ts";
import {
  createLeaseKeeper,
  createLedger,
  type Ledger,
  type SettleTicket,
  verifyLedger,
} from "../../ledger/index.ts";
import { type Log, silentLog } from "../../telemetry/index.ts";
import { createSureSettler, notTaken } from "./settle-surely.ts";

const HALF_A_MINUTE_MS = 30_000;
/** A timer may fire up to a millisecond early. */
const EARLY_MS = 2;

const database = await createTestDatabase();
const { db } = database;
const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
const admitter = createAdmitter({ db, lease });
const reachable = createLedger(db);
/** Nothing listens there, so every query fails at once. */
const nowhere = connectDatabase({ url: "postgres://bursar@127.0.0.1:1/none", poolSize: 1, log: silentLog });
const cut = createLedger(nowhere);
afterAll(async () => {
  await nowhere.close();
  await database.drop();
});

/** How many attempts use the cut link before it works again. */
let failures = 0;
const ledger: Ledger = {
  ...reachable,
  settle: (settlement) => (failures-- > 0 ? cut : reachable).settle(settlement),
};

let call: AdmissionCall;
beforeEach(async () => {
  failures = 0;
  const orgId = newId();
  await createOrganization(database, orgId);
  await ledger.grant({
    orgId,
    pool: "anytime",
    amount: credits(100),
    reference: null,
    expiresAt: null,
    kind: "manual",
    description: "test",
  });
  call = admissionOf(orgId, 40);
  await admitter.admit(call);
});

function settlerAt(clock: Clock = systemClock) {
  return createSureSettler({ ledger, log: silentLog, clock, giveUpAfterMs: HALF_A_MINUTE_MS });
}

/** Advances by `stepMs` at each reading. */
function hurriedClock(stepMs: number): Clock {
  let ms = 0;
  return {
    nowMs: () => ms,
    elapsedMs() {
      ms += stepMs;
      return ms;
    },
  };
}

async function balance(): Promise<string> {
  const { anytimeAvailable, anytimeHeld } = await ledger.account(call.orgId);
  return `${anytimeAvailable}+${anytimeHeld}`;
}

async function untilBalance(expected: string): Promise<void> {
  while ((await balance()) !== expected) await Bun.sleep(5);
}

describe("a settlement", () => {
  test("is retried until the database is back, and charges once", async () => {
    failures = 2;
    const settled = await settlerAt().settle(settlementOf(call, credits(30)));
    expect([settled.outcome, await balance()]).toEqual(["settled", "70+0"]);
  });

  test("is retried after growing pauses, and logs only some of the retries", async () => {
    const triedAt: number[] = [];
    const told: Record<string, unknown>[] = [];
    const log: Log = { ...silentLog, warn: (_, fields = {}) => void told.push(fields) };
    const away: Ledger = {
      ...ledger,
      settle(settlement) {
        const tries = triedAt.push(performance.now());
        // Works again for the release, which would otherwise never end.
        return tries > 4 ? ledger.settle(settlement) : Promise.reject(new Error(`away ${tries}`));
      },
    };
    // As if each try came exactly when its pause was over, however long this process really waited for its turn.
    const elapsedMs = () => [0, 0, 50, 150, 350][triedAt.length] ?? 350;
    const input = { ledger: away, log, clock: { ...systemClock, elapsedMs }, giveUpAfterMs: 600 };
    await expect(createSureSettler(input).settle(settlementOf(call, credits(30)))).rejects.toThrow();
    await untilBalance("100+0");
    expect(triedAt).toHaveLength(5);
    for (const [at, pauseMs] of [50, 100, 200].entries())
      expect((triedAt[at + 1] ?? 0) - (triedAt[at] ?? 0)).toBeGreaterThan(pauseMs - EARLY_MS);
    expect(told.slice(0, 2)).toEqual([
      { request_id: call.requestId, tries: 1, error: "Error: away 1" },
      { request_id: call.requestId, tries: 2, error: "Error: away 2" },
    ]);
    expect(told.filter(({ tries }) => tries === 3)).toEqual([]);
  });

  test("that is retried counts as waiting until it is charged, and so does a release", async () => {
    const waited: number[] = [];
    const watched: Ledger = {
      ...ledger,
      settle(settlement) {
        waited.push(settler.waiting);
        return ledger.settle(settlement);
      },
    };
    const settler = createSureSettler({
      ledger: watched,
      log: silentLog,
      clock: systemClock,
      giveUpAfterMs: HALF_A_MINUTE_MS,
    });
    // What is charged at the first try never waited, and is not taken from those that do.
    await settler.settle(settlementOf(call, credits(30)));
    failures = 2;
    await settler.settle(settlementOf(call, credits(30)));
    expect([waited, settler.waiting]).toEqual([[0, 0, 1, 1], 0]);
    failures = 1;
    settler.release(releaseOf(call));
    while (settler.waiting === 0) await Bun.sleep(1);
    while (settler.waiting > 0) await Bun.sleep(1);
    expect(waited.slice(4)).toEqual([0, 1]);
  });

  test("that waits for its batch and for a retry counts as waiting once", async () => {
    failures = 1;
    const retried = Promise.withResolvers<void>();
    const settler = createSureSettler({
      ledger: { ...ledger, waiting: 3 },
      log: { ...silentLog, warn: () => retried.resolve() },
      clock: systemClock,
      giveUpAfterMs: HALF_A_MINUTE_MS,
    });
    const settling = settler.settle(releaseOf(call));
    await retried.promise;
    expect(settler.waiting).toBe(3);
    await settling;
  });

  test("that failed has its ticket abandoned before it is retried", async () => {
    const tickets: (SettleTicket | undefined)[] = [];
    const once: Ledger = {
      ...ledger,
      settle(settlement, ticket) {
        tickets.push(ticket);
        return tickets.length === 1 ? Promise.reject(new Error("away")) : ledger.settle(settlement, ticket);
      },
    };
    await createSureSettler({
      ledger: once,
      log: silentLog,
      clock: systemClock,
      giveUpAfterMs: HALF_A_MINUTE_MS,
    }).settle(settlementOf(call, credits(30)));
    expect(tickets).toEqual([{ isAbandoned: true }, { isAbandoned: false }]);
  });
});

describe("a settlement that is given up", () => {
  test("after half a minute is a 503 with an unknown outcome, and its hold is released", async () => {
    failures = 3;
    const settling = settlerAt(hurriedClock(8_000)).settle(settlementOf(call, credits(30)));
    await expect(settling).rejects.toMatchObject({
      code: "internal_error",
      status: 503,
      message: expect.stringContaining(call.requestId),
      options: { shouldRetry: false, retryAfterSeconds: 5 },
    });
    await untilBalance("100+0");
    const { rows } = await db.pool.query("select status, error_code from requests where request_id = $1", [
      call.requestId,
    ]);
    expect(rows).toEqual([{ status: "failed", error_code: "internal_error" }]);
  });

  test("because it got no answer in time is a 503, and its hold is released", async () => {
    const mute: Ledger = {
      ...ledger,
      settle: (given) => (given.cost === 0 ? ledger.settle(given) : new Promise(() => {})),
    };
    const input = { ledger: mute, log: silentLog, clock: systemClock, giveUpAfterMs: 20 };
    const settling = createSureSettler(input).settle(settlementOf(call, credits(30)));
    await expect(settling).rejects.toMatchObject({
      status: 503,
      options: { internal: "Error: no answer in time" },
    });
    await untilBalance("100+0");
  });

  test("no longer counts as waiting, after however many tries", async () => {
    let nowMs = 0;
    let stepMs = 0;
    const waited: number[] = [];
    const away: Ledger = {
      ...ledger,
      settle(given) {
        waited.push(settler.waiting);
        return given.cost === 0 ? ledger.settle(given) : Promise.reject(new Error("away"));
      },
    };
    const clock = { ...systemClock, elapsedMs: () => (nowMs += stepMs) };
    const settler = createSureSettler({
      ledger: away,
      log: silentLog,
      clock,
      giveUpAfterMs: HALF_A_MINUTE_MS,
    });
    for (stepMs of [40_000, 20_000])
      await expect(settler.settle(settlementOf(call, credits(30)))).rejects.toMatchObject({ status: 503 });
    // One try and its release, then two and theirs.
    expect(waited).toEqual([0, 0, 0, 1, 0]);
    await untilBalance("100+0");
  });

  test("but was committed is not undone by the release that follows", async () => {
    await ledger.settle(settlementOf(call, credits(30)));
    // As many tries as its time allows: the last has no time left, and must not reach a database that is faster than
    // that.
    failures = 3;
    const settling = settlerAt(hurriedClock(8_000)).settle(settlementOf(call, credits(30)));
    await expect(settling).rejects.toMatchObject({ status: 503 });
    expect((await ledger.settle(releaseOf(call))).outcome).toBe("repeat");
    expect(await balance()).toBe("70+0");
    expect((await verifyLedger(db)).faults).toEqual([]);
  });
});

describe("a release", () => {
  test("is retried in the background until the database is back, and charges nothing, whatever its cost", async () => {
    failures = 1;
    settlerAt().release(settlementOf(call, credits(30), { reply: "{}", measured: '{"n":2}' }));
    await untilBalance("100+0");
    const { rows } = await db.pool.query("select measured from requests where request_id = $1", [
      call.requestId,
    ]);
    expect(rows).toEqual([{ measured: null }]);
  });

  test("of a call that was never held records nothing", async () => {
    const never = admissionOf(call.orgId, 10);
    settlerAt().release(releaseOf(never));
    settlerAt().release(releaseOf(call));
    await untilBalance("100+0");
    const { rows } = await db.pool.query("select 1 from requests where request_id = $1", [never.requestId]);
    expect(rows).toEqual([]);
  });

  test("to a closed database is given up immediately and logged, and so is a settlement", async () => {
    const closed = connectDatabase({ url: db.url, poolSize: 1, log: silentLog });
    const gone = createLedger(closed);
    expect((await gone.settle(releaseOf(admissionOf(call.orgId, 10)))).outcome).toBe("absent");
    await closed.close();
    let gaveUp = Promise.withResolvers<unknown>();
    const log = {
      ...silentLog,
      error: (event: string, fields?: object) => gaveUp.resolve({ event, ...fields }),
    };
    const settler = createSureSettler({
      ledger: gone,
      log,
      clock: systemClock,
      giveUpAfterMs: HALF_A_MINUTE_MS,
    });
    const told = {
      event: "release_gave_up",
      request_id: call.requestId,
      error: "ClosedForGood: the database was closed",
    };
    settler.release(releaseOf(call));
    expect(await gaveUp.promise).toEqual(told);
    gaveUp = Promise.withResolvers();
    await expect(settler.settle(settlementOf(call, credits(30)))).rejects.toMatchObject({ status: 503 });
    expect([await gaveUp.promise, settler.waiting]).toEqual([told, 0]);
  });

  test("that is given up in the end logs why", async () => {
    const told = Promise.withResolvers<unknown>();
    const away = { ...ledger, settle: () => Promise.reject(new Error("still away")) };
    const log = {
      ...silentLog,
      error: (event: string, fields?: object) => told.resolve({ event, ...fields }),
    };
    createSureSettler({
      ledger: away,
      log,
      clock: hurriedClock(17 * 60_000),
      giveUpAfterMs: HALF_A_MINUTE_MS,
    }).release(releaseOf(call));
    expect(await told.promise).toEqual({
      event: "release_gave_up",
      request_id: call.requestId,
      error: "Error: still away",
    });
  });
});

test("notTaken is a 503 that may be retried after a second", () => {
  expect(notTaken(new Error("away"))).toMatchObject({
    code: "internal_error",
    status: 503,
    options: { retryAfterSeconds: 1, internal: "Error: away" },
  });
});
