import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert, newId } from "../../kit/index.ts";
import { OPERATOR, type OrganizationRecord, SCOPES } from "../index.ts";
import { createIdentityFixture, type IdentityFixture } from "../testing.ts";

const DAY_MS = 86_400_000;

let fixture: IdentityFixture;
let organization: OrganizationRecord;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  organization = await fixture.createOrganization();
});

afterAll(() => fixture.close());

async function outcome(secret: string): Promise<string> {
  await fixture.identity.refresh();
  return (await fixture.identity.authenticate(`Bearer ${secret}`)).outcome;
}

const person = (userId: string) => ({ kind: "person", userId }) as const;

describe("minting", () => {
  const good = () => ({ organizationId: organization.id, name: "Key", scopes: ["chat"], actor: OPERATOR });

  test("until a given time keeps exactly that time, if it is ahead and within ten years", async () => {
    const mint = (expiresAt: Date, expiresInMs?: number) =>
      fixture.identity.keys.mint({ ...good(), expiresAt, expiresInMs: expiresInMs ?? null });
    const from = (ms: number) => new Date(Date.now() + ms);
    const [soon, late] = [from(DAY_MS), from(3_659 * DAY_MS)];
    expect(await mint(soon)).toMatchObject({ outcome: "ok", key: { expiresAt: soon } });
    expect(await mint(late)).toMatchObject({ outcome: "ok", key: { expiresAt: late } });
    expect(await mint(soon, 2 * DAY_MS)).toMatchObject({ key: { expiresAt: soon } });
    for (const bad of [from(-DAY_MS), from(3_661 * DAY_MS)])
      expect(await mint(bad)).toMatchObject({ outcome: "invalid", field: "expires_at" });
  });

  test.each([
    ["name", { name: "" }],
    ["name", { name: "x".repeat(101) }],
    ["name", { name: "nul\0" }],
    ["name", { name: "line\nbreak" }],
    ["name", { name: " cONSOLE " }],
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: ["chat", "everything"] }],
    ["scopes", { scopes: ["chat\0"] }],
    ["scopes", { scopes: Array.from({ length: 10_000 }, () => "chat") }],
    ["expires_in", { expiresInMs: 0 }],
    ["expires_in", { expiresInMs: -1 }],
    ["expires_in", { expiresInMs: Number.NaN }],
    ["expires_in", { expiresInMs: 1e18 }],
    ["requests_per_minute", { requestsPerMinute: 0 }],
    ["requests_per_minute", { requestsPerMinute: 1.5 }],
    ["in_flight", { inFlight: 2 ** 31 }],
  ])("refuses an invalid %s: %j", async (field, wrong) => {
    expect(await fixture.identity.keys.mint({ ...good(), ...wrong })).toMatchObject({
      outcome: "invalid",
      field,
    });
  });

  test("is allowed for owners and admins, forbidden for members, and not_found for others", async () => {
    const mint = (userId: string) =>
      fixture.identity.keys.mint({ ...good(), scopes: SCOPES, actor: person(userId) });
    for (const role of ["owner", "admin"]) {
      const { userId } = await fixture.addMember(organization.id, role);
      expect(await mint(userId)).toMatchObject({
        outcome: "ok",
        key: { mintedBy: userId, scopes: [...SCOPES] },
      });
    }
    expect(await mint((await fixture.addMember(organization.id)).userId)).toEqual({ outcome: "forbidden" });
    const elsewhere = await fixture.createOrganization("Elsewhere");
    const foreignOwner = await fixture.addMember(elsewhere.id, "owner");
    expect(await mint(foreignOwner.userId)).toEqual({ outcome: "not_found" });
    expect(await mint(newId())).toEqual({ outcome: "not_found" });
  });

  test("in an organization that does not exist is not_found", async () => {
    for (const organizationId of [newId(), "no-uuid", ""]) {
      expect(await fixture.identity.keys.mint({ ...good(), organizationId })).toEqual({
        outcome: "not_found",
      });
    }
  });

  test("stores hashes and the last four characters, but no eight characters of a secret", async () => {
    const minted = await fixture.mintKey(organization.id);
    const rotated = await fixture.identity.keys.rotate({
      organizationId: organization.id,
      keyId: minted.key.id,
      actor: OPERATOR,
    });
    assert(rotated.outcome === "ok", rotated.outcome);
    const tables = ["api_keys", "api_key_retired_secrets"];
    const dumps = await Promise.all(
      tables.map((t) => fixture.db.pool.query(`select t::text as line from ${t} t`)),
    );
    const dump = JSON.stringify(dumps.map(({ rows }) => rows));
    for (const secret of [minted.secret, rotated.secret]) {
      for (let at = 0; at + 8 <= secret.length; at++) expect(dump).not.toContain(secret.slice(at, at + 8));
    }
    expect(rotated.key.lastFour).toBe(rotated.secret.slice(-4));
  });
});

describe("listing", () => {
  test("shows an organization's own keys, newest first, with revoked ones and without internal ones", async () => {
    const own = await fixture.createOrganization("Lister");
    const keys = [];
    for (let i = 0; i < 3; i++) keys.push((await fixture.mintKey(own.id)).key.id);
    await fixture.identity.keys.revoke({ organizationId: own.id, keyId: keys[1] ?? "", actor: OPERATOR });
    await fixture.db.pool.query("update api_keys set internal = true where id = $1", [keys[0]]);
    const listed = await fixture.identity.keys.list(own.id);
    expect(listed.map((key) => key.id)).toEqual([keys[2] ?? "", keys[1] ?? ""]);
    expect(listed[1]?.revokedAt).toBeInstanceOf(Date);
    expect(await fixture.identity.keys.list("no-uuid")).toEqual([]);
  });
});

describe("rotation", () => {
  const rotate = (keyId: string, graceMs?: number) =>
    fixture.identity.keys.rotate({ organizationId: organization.id, keyId, graceMs, actor: OPERATOR });

  test("keeps the id, and the old secret valid for a day", async () => {
    const old = await fixture.mintKey(organization.id);
    const fresh = await rotate(old.key.id);
    assert(fresh.outcome === "ok", fresh.outcome);
    expect(fresh.key.id).toBe(old.key.id);
    expect([await outcome(old.secret), await outcome(fresh.secret)]).toEqual(["ok", "ok"]);
    await fixture.advanceClock(DAY_MS - 5_000);
    expect(await outcome(old.secret)).toBe("ok");
    await fixture.advanceClock(5_000);
    expect([await outcome(old.secret), await outcome(fresh.secret)]).toEqual(["invalid_key", "ok"]);
  });

  test("without grace ends all older secrets immediately", async () => {
    const first = await fixture.mintKey(organization.id);
    const second = await rotate(first.key.id);
    assert(second.outcome === "ok", second.outcome);
    const third = await rotate(first.key.id, 0);
    assert(third.outcome === "ok", third.outcome);
    expect(await outcome(first.secret)).toBe("invalid_key");
    expect(await outcome(second.secret)).toBe("invalid_key");
    expect(await outcome(third.secret)).toBe("ok");
  });

  test("again within the grace keeps the first secret valid for its own day, and no longer", async () => {
    const first = await fixture.mintKey(organization.id);
    await rotate(first.key.id);
    await fixture.advanceClock(DAY_MS / 2);
    await rotate(first.key.id);
    await fixture.advanceClock(DAY_MS / 2 - 5_000);
    expect(await outcome(first.secret)).toBe("ok");
    await fixture.advanceClock(5_000);
    expect(await outcome(first.secret)).toBe("invalid_key");
  });

  test("keeps at most 20 retired secrets", async () => {
    const { key } = await fixture.mintKey(organization.id);
    for (let i = 0; i < 25; i++) await rotate(key.id);
    const { rows } = await fixture.db.pool.query("select from api_key_retired_secrets where key_id = $1", [
      key.id,
    ]);
    expect(rows.length).toBe(20);
  });

  test("never lifts an expiry or a revocation", async () => {
    const revoked = await fixture.mintKey(organization.id);
    const retired = await rotate(revoked.key.id);
    assert(retired.outcome === "ok", retired.outcome);
    await fixture.identity.keys.revoke({
      organizationId: organization.id,
      keyId: revoked.key.id,
      actor: OPERATOR,
    });
    expect(await outcome(revoked.secret)).toBe("invalid_key");
    expect(await outcome(retired.secret)).toBe("invalid_key");
    expect(await rotate(revoked.key.id)).toEqual({ outcome: "revoked" });
    const expiring = await fixture.identity.keys.mint({
      organizationId: organization.id,
      name: "Hour",
      scopes: ["chat"],
      expiresInMs: 3_600_000,
      actor: OPERATOR,
    });
    assert(expiring.outcome === "ok", expiring.outcome);
    await rotate(expiring.key.id);
    await fixture.advanceClock(3_600_000);
    expect(await outcome(expiring.secret)).toBe("invalid_key");
    expect(await rotate(expiring.key.id)).toEqual({ outcome: "expired" });
  });

  test.each([-1, 0.5, Number.NaN, 31 * DAY_MS])("refuses a grace of %p", async (graceMs) => {
    expect(await rotate(newId(), graceMs)).toMatchObject({ outcome: "invalid", field: "grace" });
  });
});

describe("another organization's key", () => {
  test("can be neither rotated nor revoked, and is answered like one that does not exist", async () => {
    const elsewhere = await fixture.createOrganization("Foreign");
    const foreign = await fixture.mintKey(elsewhere.id);
    const { userId } = await fixture.addMember(organization.id, "owner");
    for (const actor of [OPERATOR, person(userId)]) {
      for (const keyId of [foreign.key.id, newId(), "no-uuid", "\0"]) {
        const reference = { organizationId: organization.id, keyId, actor };
        expect(await fixture.identity.keys.rotate(reference)).toEqual({ outcome: "not_found" });
        expect(await fixture.identity.keys.revoke(reference)).toEqual({ outcome: "not_found" });
      }
      const reference = { organizationId: elsewhere.id, keyId: foreign.key.id, actor: person(userId) };
      expect(await fixture.identity.keys.revoke(reference)).toEqual({ outcome: "not_found" });
    }
    expect(await outcome(foreign.secret)).toBe("ok");
  });
});

test("the internal key can be neither revoked nor rotated", async () => {
  const { key, secret } = await fixture.mintKey(organization.id);
  await fixture.db.pool.query("update api_keys set internal = true where id = $1", [key.id]);
  const reference = { organizationId: organization.id, keyId: key.id, actor: OPERATOR };
  expect(await fixture.identity.keys.revoke(reference)).toEqual({ outcome: "not_found" });
  expect(await fixture.identity.keys.rotate(reference)).toEqual({ outcome: "not_found" });
  expect(await outcome(secret)).toBe("ok");
});

test("the console's key is created once, however many ask concurrently, and is not listed", async () => {
  const { id } = await fixture.createOrganization("Playing");
  const made = await Promise.all(Array.from({ length: 10 }, () => fixture.identity.keys.internalOf(id)));
  const [first] = made;
  assert(first !== undefined, "the console's key");
  expect(new Set(made.map((key) => key?.id)).size).toBe(1);
  expect([first.name, first.scopes.length]).toEqual(["Console", 6]);
  expect(await fixture.identity.keys.internalOf(id)).toEqual(first);
  expect(await fixture.identity.keys.list(id)).toEqual([]);
  for (const unknown of [newId(), "no-uuid"])
    expect(await fixture.identity.keys.internalOf(unknown)).toBeUndefined();
});

test("a key's last use is saved at closing, by the database's clock", async () => {
  const { key, secret } = await fixture.mintKey(organization.id);
  const node = await fixture.openNode();
  await node.authenticate(`Bearer ${secret}`);
  await node.close();
  const { rows } = await fixture.db.pool.query<{ age: number }>(
    "select extract(epoch from bursar_now() - last_used_at)::float8 as age from api_keys where id = $1",
    [key.id],
  );
  expect(rows[0]?.age).toBeGreaterThanOrEqual(0);
  expect(rows[0]?.age).toBeLessThan(5);
});
