import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { AppError, assert, sha256 } from "../../kit/index.ts";
import { createKeyCodec, OPERATOR, type OrganizationRecord } from "../index.ts";
import { createIdentityFixture, type IdentityFixture, TEST_KEY_PREFIX, until } from "../testing.ts";
import type { Authentication } from "./authenticator.ts";

let fixture: IdentityFixture;
let organization: OrganizationRecord;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  organization = await fixture.createOrganization();
});

afterAll(() => fixture.close());

async function outcome(secret: string): Promise<string> {
  return (await fixture.identity.authenticate(`Bearer ${secret}`)).outcome;
}

/** The number of queries on the pool while the work runs. */
async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const spy = spyOn(fixture.db.pool, "query");
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

/** A node's own clock, which stands still until the test moves it. */
function createStillClock() {
  let nowMs = 1_000;
  const read = () => nowMs;
  return {
    nowMs: read,
    elapsedMs: read,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe("a valid key", () => {
  test("returns its organization, scopes and limits", async () => {
    const minted = await fixture.identity.keys.mint({
      organizationId: organization.id,
      name: "Backend",
      scopes: ["usage", "chat"],
      requestsPerMinute: 30,
      inFlight: 2,
      actor: OPERATOR,
    });
    assert(minted.outcome === "ok", minted.outcome);
    const answer = await fixture.identity.authenticate(`Bearer ${minted.secret}`);
    assert(answer.outcome === "ok", answer.outcome);
    expect(answer.principal.keyId).toBe(minted.key.id);
    expect(answer.principal.organization).toMatchObject({
      id: organization.id,
      name: "Acme",
      slug: "acme",
      plan: "free",
      active: true,
      efficiency: "safe",
    });
    expect([...answer.principal.scopes].sort()).toEqual(["chat", "usage"]);
    expect(answer.principal.limits).toEqual({ requestsPerMinute: 30, inFlight: 2 });
  });

  test("works immediately on another node", async () => {
    const node = await fixture.openNode();
    const { secret } = await fixture.mintKey(organization.id);
    expect((await node.authenticate(`Bearer ${secret}`)).outcome).toBe("ok");
  });

  test("asks the database once, then is answered synchronously from the cache", async () => {
    const { secret } = await fixture.mintKey(organization.id);
    await fixture.identity.refresh();
    expect(await countQueries(() => outcome(secret))).toBe(1);
    const again = fixture.identity.authenticate(`Bearer ${secret}`);
    expect(again).not.toBeInstanceOf(Promise);
  });

  test("used a hundred times concurrently is looked up once", async () => {
    const { secret } = await fixture.mintKey(organization.id);
    const queries = await countQueries(async () => {
      const all = await Promise.all(Array.from({ length: 100 }, () => outcome(secret)));
      expect(new Set(all)).toEqual(new Set(["ok"]));
    });
    expect(queries).toBe(1);
  });

  test("shares a look-up for 200 ms; a later request asks again", async () => {
    const clock = createStillClock();
    const node = await fixture.openNode(fixture.db, clock);
    const { secret } = await fixture.mintKey(organization.id);
    const queriesOf = (waitsMs: number[]) =>
      countQueries(() =>
        Promise.all(
          waitsMs.map((ms) => {
            clock.pass(ms);
            return node.authenticate(`Bearer ${secret}`);
          }),
        ),
      );
    // Too long ago for the node to trust its cache.
    clock.pass(10_000);
    expect(await queriesOf([0, 199])).toBe(1);
    clock.pass(10_000);
    expect(await queriesOf([0, 200])).toBe(2);
  });

  test("counts as used also when it is answered from the cache", async () => {
    const clock = createStillClock();
    const node = await fixture.openNode(fixture.db, clock);
    const { key, secret } = await fixture.mintKey(organization.id);
    await node.authenticate(`Bearer ${secret}`);
    clock.pass(3_600_000);
    await node.refresh();
    expect(node.authenticate(`Bearer ${secret}`)).not.toBeInstanceOf(Promise);
    await node.close();
    const { rows } = await fixture.db.pool.query<{ age: number }>(
      "select extract(epoch from bursar_now() - last_used_at)::float8 as age from api_keys where id = $1",
      [key.id],
    );
    expect(rows[0]?.age).toBeLessThan(60);
  });

  test("of an inactive organization shows it as inactive within a second", async () => {
    const other = await fixture.createOrganization("Sleeping");
    const { secret } = await fixture.mintKey(other.id);
    expect(await outcome(secret)).toBe("ok");
    await fixture.identity.organizations.update({ organizationId: other.id, active: false, actor: OPERATOR });
    await until(async () => {
      const answer = await fixture.identity.authenticate(`Bearer ${secret}`);
      return answer.outcome === "ok" && !answer.principal.organization.active;
    }, 1_000);
  });
});

describe("an invalid key", () => {
  test("that is malformed causes no query", async () => {
    const typo = `${createKeyCodec(TEST_KEY_PREFIX).mint().slice(0, -1)}!`;
    const huge = "x".repeat(1_000_000);
    const queries = await countQueries(async () => {
      for (const text of [typo, "", "' or 1=1 --", `${TEST_KEY_PREFIX}${"0".repeat(43)}`, huge]) {
        const answer = await fixture.identity.authenticate(`Bearer ${text}`);
        expect(answer).toEqual({ outcome: "invalid_key", fault: "malformed" });
      }
      expect((await fixture.identity.authenticate(null)).outcome).toBe("unauthorized");
    });
    expect(queries).toBe(0);
  });

  test("that is unknown, revoked or expired causes exactly one query each time", async () => {
    const revoked = await fixture.mintKey(organization.id);
    const expired = await fixture.identity.keys.mint({
      organizationId: organization.id,
      name: "Short",
      scopes: ["chat"],
      expiresInMs: 60_000,
      actor: OPERATOR,
    });
    assert(expired.outcome === "ok", expired.outcome);
    for (const { secret } of [revoked, expired]) expect(await outcome(secret)).toBe("ok");
    await fixture.identity.keys.revoke({
      organizationId: organization.id,
      keyId: revoked.key.id,
      actor: OPERATOR,
    });
    await fixture.advanceClock(60_000);
    await fixture.identity.refresh();
    const cases: [secret: string, answer: Authentication][] = [
      [createKeyCodec(TEST_KEY_PREFIX).mint(), { outcome: "key_not_found" }],
      [revoked.secret, { outcome: "invalid_key", fault: "revoked" }],
      [expired.secret, { outcome: "invalid_key", fault: "expired" }],
    ];
    for (const [secret, expected] of [...cases, ...cases]) {
      const queries = await countQueries(async () =>
        expect(await fixture.identity.authenticate(`Bearer ${secret}`)).toEqual(expected),
      );
      expect(queries).toBe(1);
    }
  });

  test("that is created later is accepted from then on", async () => {
    const codec = createKeyCodec(TEST_KEY_PREFIX);
    const secret = codec.mint();
    expect(await outcome(secret)).toBe("key_not_found");
    const { key } = await fixture.mintKey(organization.id);
    await fixture.db.pool.query("update api_keys set secret_hash = $2 where id = $1", [
      key.id,
      sha256(secret),
    ]);
    expect(await outcome(secret)).toBe("ok");
  });
});

test("while 5,000 keys wait for the database one more is refused with 503, and is accepted afterwards", async () => {
  const { secret } = await fixture.mintKey(organization.id);
  const codec = createKeyCodec(TEST_KEY_PREFIX);
  const silent = Promise.withResolvers<never>();
  const spy = spyOn(fixture.db.pool, "query").mockImplementation((() => silent.promise) as () => never);
  const waiting = Array.from({ length: 5_000 }, () => outcome(codec.mint()));
  const all = Promise.allSettled([...waiting, outcome(secret)]);
  const asked = spy.mock.calls.length;
  spy.mockRestore();
  silent.reject(new Error("connection lost"));
  const refused = (await all).at(-1);
  expect(asked).toBe(5_000);
  assert(
    refused?.status === "rejected" && refused.reason instanceof AppError,
    "an AppError ends the request",
  );
  expect(refused.reason.message).toContain("overloaded");
  expect(refused.reason.status).toBe(503);
  expect(refused.reason.options.retryAfterSeconds).toBeGreaterThan(0);
  expect(await outcome(secret)).toBe("ok");
});

test("an answer that was read before a revocation is not cached after it", async () => {
  const { secret, key } = await fixture.mintKey(organization.id);
  const { pool } = fixture.db;
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const gate = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const spy = spyOn(pool, "query").mockImplementationOnce((async (...args: unknown[]) => {
    const rows = await ask(...args);
    read.resolve();
    await gate.promise;
    return rows;
  }) as typeof pool.query);
  const late = outcome(secret);
  await read.promise;
  spy.mockRestore();
  await fixture.identity.keys.revoke({ organizationId: organization.id, keyId: key.id, actor: OPERATOR });
  await fixture.identity.refresh();
  gate.resolve();
  expect(await late).toBe("ok");
  expect(await outcome(secret)).toBe("invalid_key");
});

describe("an expiry", () => {
  test("follows the database's clock, also for cached keys", async () => {
    const minted = await fixture.identity.keys.mint({
      organizationId: organization.id,
      name: "A day",
      scopes: ["chat"],
      expiresInMs: 86_400_000,
      actor: OPERATOR,
    });
    assert(minted.outcome === "ok", minted.outcome);
    await fixture.advanceClock(86_400_000 - 10_000);
    await fixture.identity.refresh();
    expect(await outcome(minted.secret)).toBe("ok");
    expect(await outcome(minted.secret)).toBe("ok");
    await fixture.advanceClock(10_000);
    await until(async () => (await outcome(minted.secret)) === "invalid_key", 1_000);
  });

  test("ends the cached answer at its exact millisecond", async () => {
    const still = await createIdentityFixture();
    await still.freezeClock(new Date("2027-01-01T00:00:00Z"));
    const clock = createStillClock();
    const node = await still.openNode(still.db, clock);
    const minted = await still.identity.keys.mint({
      organizationId: (await still.createOrganization()).id,
      name: "A minute",
      scopes: ["chat"],
      expiresInMs: 60_000,
      actor: OPERATOR,
    });
    assert(minted.outcome === "ok", minted.outcome);
    const ask = () => node.authenticate(`Bearer ${minted.secret}`);
    await ask();
    await still.advanceClock(59_999);
    await node.refresh();
    expect(ask()).toMatchObject({ outcome: "ok" });
    clock.pass(1);
    const asked = ask();
    expect(asked).toBeInstanceOf(Promise);
    await asked;
    await still.close();
  });
});

test("when the database fails, an uncached key is answered 503 with a time to retry and without details", async () => {
  const lonely = await createIdentityFixture();
  const { secret } = await lonely.mintKey((await lonely.createOrganization()).id);
  await lonely.db.pool.query("alter table api_keys rename to api_keys_gone");
  const error = await Promise.resolve(lonely.identity.authenticate(`Bearer ${secret}`)).catch(
    (e: unknown) => e,
  );
  assert(error instanceof AppError, "an AppError ends the request");
  expect(error.code).toBe("internal_error");
  expect(error.status).toBe(503);
  expect(error.options.retryAfterSeconds).toBeGreaterThan(0);
  expect(error.message).not.toContain("api_keys");
  await lonely.close();
});
