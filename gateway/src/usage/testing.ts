import { expect } from "bun:test";
import { type AdmissionCall, createAdmitter } from "../admission/index.ts";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { credits, DAY_MS, newId, sha256, systemClock } from "../kit/index.ts";
import { createLeaseKeeper, createLedger, type Ledger, type Settlement } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createUsage, type Usage, type UsageOrganization } from "./usage.ts";

/** The default settings. */
export const LOW_BALANCE = { lowBalancePercent: 10, lowBalanceCredits: 1_000 };

/** A test database with a ledger and a clock that tests can move; the views read real data. */
export type UsageHarness = {
  readonly db: TestDatabase["db"];
  readonly ledger: Ledger;
  readonly usage: Usage;
  createOrganization(): Promise<TestOrganization>;
  databaseNow(): Promise<Date>;
  advanceClock(ms: number): Promise<void>;
  /** Moves the clock forward to this time of the UTC day. */
  advanceToTimeOfDay(ms: number): Promise<void>;
  drop(): Promise<void>;
};

export type TestOrganization = UsageOrganization & {
  readonly keyId: string;
  readonly memberId: string;
  addKey(name: string, lastFour: string): Promise<string>;
  topUp(amount: number): Promise<void>;
  begin(fields?: Partial<AdmissionCall>): Promise<AdmissionCall>;
  end(started: AdmissionCall, cost: number, fields?: Partial<Settlement>): Promise<void>;
  /** Begins and ends a call; returns the request's id. */
  pay(cost: number, fields?: Partial<AdmissionCall>): Promise<string>;
};

/** Makes calls that are really admitted and settled. */
export type Spender = {
  readonly ledger: Ledger;
  topUp(orgId: string, amount: number): Promise<void>;
  begin(orgId: string, keyId: string, fields?: Partial<AdmissionCall>): Promise<AdmissionCall>;
  end(started: AdmissionCall, cost: number, fields?: Partial<Settlement>): Promise<void>;
  renewLease(): Promise<void>;
  close(): Promise<void>;
};

export async function createSpender(db: TestDatabase["db"]): Promise<Spender> {
  const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
  const ledger = createLedger(db);
  const admitter = createAdmitter({ db, lease });
  return {
    ledger,
    async topUp(orgId, amount) {
      const grant = { orgId, pool: "anytime", kind: "manual", description: "top-up" } as const;
      await ledger.grant({ ...grant, amount: credits(amount), reference: null, expiresAt: null });
    },
    async begin(orgId, keyId, fields = {}) {
      const call = { ...callOf(orgId, keyId), ...fields };
      const { outcome } = await admitter.admit(call);
      expect(outcome).toBe("admitted");
      return call;
    },
    async end(call, cost, fields = {}) {
      const { outcome } = await ledger.settle({ ...settlementOf(call, cost), ...fields });
      expect(outcome).toBe("settled");
    },
    renewLease: async () => void (await lease.renew()),
    close: () => lease.leave(),
  };
}

export async function createUsageHarness(): Promise<UsageHarness> {
  const testDb = await createTestDatabase();
  const { db } = testDb;
  const spender = await createSpender(db);
  const modelTypes = new Map([
    ["talker", "text"],
    ["painter", "image"],
  ]);

  async function databaseNow(): Promise<Date> {
    const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
    return rows[0]?.now ?? new Date(Number.NaN);
  }

  async function advanceClock(ms: number): Promise<void> {
    await testDb.advanceClock(ms);
    await spender.renewLease();
  }

  return {
    db,
    ledger: spender.ledger,
    usage: createUsage({
      db,
      clock: systemClock,
      typeOfModel: (id) => modelTypes.get(id),
      lowBalance: LOW_BALANCE,
    }),
    databaseNow,
    advanceClock,
    async advanceToTimeOfDay(ms) {
      const nowMs = (await databaseNow()).getTime() % DAY_MS;
      await advanceClock((ms - nowMs + DAY_MS) % DAY_MS);
    },
    createOrganization: () => createOrganization(db, spender),
    async drop() {
      await spender.close();
      await testDb.drop();
    },
  };
}

async function createOrganization(db: TestDatabase["db"], spender: Spender): Promise<TestOrganization> {
  const id = newId();
  await db.pool.query("insert into organization (id, name, slug, plan) values ($1, 'Acme', $2, 'pro')", [
    id,
    id,
  ]);
  const memberId = newId();
  await db.pool.query(`insert into "user" (id, name, email) values ($1, 'Ada', $2)`, [
    memberId,
    `${memberId}@example.com`,
  ]);

  async function addKey(name: string, lastFour: string): Promise<string> {
    const keyId = newId();
    await db.pool.query(
      "insert into api_keys (id, org_id, name, secret_hash, last_four, scopes) values ($1, $2, $3, $4, $5, '{chat}')",
      [keyId, id, name, sha256(keyId), lastFour],
    );
    return keyId;
  }
  const keyId = await addKey("Main", "aaaa");
  const begin = (fields: Partial<AdmissionCall> = {}) => spender.begin(id, keyId, fields);

  return {
    id,
    plan: "pro",
    keyId,
    memberId,
    addKey,
    topUp: (amount) => spender.topUp(id, amount),
    begin,
    end: spender.end,
    async pay(cost, fields) {
      const call = await begin(fields);
      await spender.end(call, cost);
      return call.requestId;
    },
  };
}

function callOf(orgId: string, keyId: string): AdmissionCall {
  return {
    orgId,
    requestId: newId(),
    keyId,
    memberUserId: null,
    endpoint: "api-v1-chat",
    model: "talker",
    kind: "call",
    minimum: credits(10),
    full: credits(10),
    requestsPerMinute: 100_000,
    inFlight: 1000,
    keyRequestsPerMinute: null,
    keyInFlight: null,
    sharesBalance: false,
    holdTtlMs: 60_000,
    idempotency: null,
  };
}

function settlementOf(call: AdmissionCall, cost: number): Settlement {
  const { orgId, requestId, keyId, memberUserId, endpoint, model } = call;
  return {
    orgId,
    requestId,
    keyId,
    memberUserId,
    endpoint,
    model,
    cost: credits(cost),
    status: "succeeded",
    inputTokens: 7,
    outputTokens: 3,
    tokensSaved: 1,
    latencyMs: 42,
    errorCode: null,
    reason: null,
    priceRuleId: null,
    measured: null,
    target: null,
    reply: null,
  };
}
