import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { armFailpoint, type FailPoint } from "../../gateway/src/kit/index.ts";
import { sweepHolds } from "../../gateway/src/ledger/index.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import type { TestOrganization } from "../harness.ts";
import { type ChatAsk, FORMS, type Seen, seeJson, seeStream } from "./chat-client.ts";
import { creditsOf, expectEnding, expectQuiet, requestRow } from "./ending.ts";
import type { Fault } from "./fault-proxy.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-database.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100;
const SETTLE_MS = 600;

let settings: SettingsFile;
let faulty: FaultyGateway;
let own: TestOrganization;
let disarm = () => {};
beforeAll(async () => {
  settings = writeSettings({ timeouts: { settle_ms: SETTLE_MS } });
  faulty = await startFaultyGateway(settings.environment);
});
afterEach(async () => {
  disarm();
  faulty.link.set({ kind: "pass" });
  await serves();
});
afterAll(async () => {
  await faulty.close();
  settings.remove();
});

function ask(more: Partial<ChatAsk> = {}): ChatAsk {
  return { origin: faulty.gateway.origin, of: own, content: "hello", ...more };
}

/** Every test ends with a gateway that serves again. */
async function serves(): Promise<void> {
  own = await faulty.gateway.found({ credits: CREDITS });
  for (let tries = 0; ; tries++) {
    const seen = await seeJson(ask()).catch(() => null);
    if (seen?.status === 200) return;
    expect(tries, "the gateway recovers").toBeLessThan(200);
    await Bun.sleep(20);
  }
}

async function released(orgId: string): Promise<void> {
  for (let looks = 0; (await creditsOf(faulty.database.db, orgId)).held > 0; looks++) {
    expect(looks, "the hold is released").toBeLessThan(800);
    await Bun.sleep(10);
  }
}

/** The link fails just before the settlement is sent. */
function failAtSettlement(fault: Fault, mendAfterMs: number | null): void {
  let isDone = false;
  disarm = armFailpoint("before_settle_sql", () => {
    if (isDone) return;
    isDone = true;
    faulty.link.set(fault);
    if (mendAfterMs !== null) setTimeout(() => faulty.link.set({ kind: "pass" }), mendAfterMs);
  });
}

/** The database executes and commits the statement after this point, but its answer never arrives. */
function loseAnswerAfter(point: FailPoint): () => boolean {
  let isArmed = false;
  let isCut = false;
  disarm = armFailpoint(point, () => {
    if (isArmed) return;
    isArmed = true;
    // Whatever the driver names the statement, it contains the organization's id.
    void faulty.link.cutAnswerTo(own.id).then(() => {
      isCut = true;
    });
  });
  return () => isCut;
}

/** A settlement that is no longer awaited may still succeed: then the charge stands, and the row says so. */
async function expectEitherEnd(seen: Seen, creditsBefore: number): Promise<void> {
  expectUnknown(seen);
  await released(own.id);
  const row = await requestRow(faulty.database.db, seen.requestId);
  expect(`${row?.status} ${row?.charged}`).toBeOneOf(["succeeded 1", "failed 0"]);
  await expectQuiet(faulty.database.db, own.id, creditsBefore - (row?.charged ?? 0));
}

for (const [form, see] of FORMS) {
  describe(form, () => {
    test("a settlement whose reply is lost after the commit is found by the retry: charged once", async () => {
      own = await faulty.gateway.found({ credits: CREDITS });
      const isCut = loseAnswerAfter("before_settle_sql");
      const seen = await see(ask());
      expect(isCut()).toBe(true);
      expect([seen.ended, seen.body["credits_charged"]]).toEqual(["done", 1]);
      const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
      await expectEnding(faulty.database.db, call, { status: "succeeded", charged: 1 });
    });

    test("an admission whose reply is lost after the commit is found by the retry: charged once", async () => {
      own = await faulty.gateway.found({ credits: CREDITS });
      const isCut = loseAnswerAfter("before_hold");
      const seen = await see(ask({ idempotencyKey: "lost" }));
      expect(isCut()).toBe(true);
      expect([seen.ended, seen.body["credits_charged"]]).toEqual(["done", 1]);
      const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
      await expectEnding(faulty.database.db, call, { status: "succeeded", charged: 1 });
    });

    for (const kind of ["reset", "black_hole"] as const) {
      test(`a settlement waits for a database behind a ${kind} that ends within the time limit`, async () => {
        own = await faulty.gateway.found({ credits: CREDITS });
        failAtSettlement({ kind }, SETTLE_MS / 4);
        const seen = await see(ask());
        expect([seen.ended, seen.body["credits_charged"]]).toEqual(["done", 1]);
        const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
        await expectEnding(faulty.database.db, call, { status: "succeeded", charged: 1 });
      });
    }

    for (const kind of ["reset", "black_hole"] as const) {
      test(`a database behind a lasting ${kind}: "outcome unknown" in time, and the hold ends later`, async () => {
        own = await faulty.gateway.found({ credits: CREDITS });
        failAtSettlement({ kind }, null);
        const startedMs = performance.now();
        const seen = await see(ask());
        expect(performance.now() - startedMs).toBeLessThan(3 * SETTLE_MS);
        expect([seen.ended, seen.status]).toEqual(["error", form === "JSON" ? 503 : 200]);
        faulty.link.set({ kind: "pass" });
        await expectEitherEnd(seen, CREDITS);
      });
    }
  });
}

test('silently dead connections end a call with "outcome unknown", and its hold is released', async () => {
  own = await faulty.gateway.found({ credits: CREDITS });
  await Promise.all(Array.from({ length: 20 }, () => seeJson(ask())));
  const before = CREDITS - 20;
  failAtSettlement({ kind: "half_open" }, SETTLE_MS);
  const seen = await seeStream(ask());
  await expectEitherEnd(seen, before);
});

test("an admission that arrives after its retry was settled is swept and charges nothing more", async () => {
  own = await faulty.gateway.found({ credits: CREDITS });
  const { db } = faulty.database;
  const kept = Promise.withResolvers<() => void>();
  let isArmed = false;
  disarm = armFailpoint("before_hold", () => {
    if (isArmed) return;
    isArmed = true;
    void faulty.link.keepBack(own.id).then(kept.resolve);
  });
  const seen = await seeJson(ask());
  expect([seen.ended, seen.body["credits_charged"]]).toEqual(["done", 1]);
  (await kept.promise)();
  for (let looks = 0; (await creditsOf(db, own.id)).held === 0; looks++) {
    expect(looks, "the late admission holds").toBeLessThan(800);
    await Bun.sleep(10);
  }
  await db.pool.query("update holds set ends_at = bursar_now() - interval '1 s' where org_id = $1", [own.id]);
  await sweepHolds({ db, log: silentLog, lease: { ...faulty.gateway.services.lease, maySweep: () => true } });
  const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
  await expectEnding(db, call, { status: "succeeded", charged: 1 });
}, 20_000);

function expectUnknown(seen: Seen): void {
  const { message } = seen.body["error"] as { message: string };
  expect(message).toContain("outcome unknown");
  expect(message).toContain(seen.requestId);
}

test("without a database, a call is refused with 503, and nothing stays held or is charged", async () => {
  own = await faulty.gateway.found({ credits: CREDITS });
  disarm = armFailpoint("before_hold", () => faulty.link.set({ kind: "reset" }));
  const seen = await seeJson(ask());
  expect(seen.status).toBe(503);
  disarm();
  faulty.link.set({ kind: "pass" });
  await released(own.id);
  await expectQuiet(faulty.database.db, own.id, CREDITS);
});
