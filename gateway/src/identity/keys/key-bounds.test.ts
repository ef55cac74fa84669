import { afterAll, beforeAll, expect, test } from "bun:test";
import { assert, newId } from "../../kit/index.ts";
import { type Actor, OPERATOR } from "../index.ts";
import { createIdentityFixture, type IdentityFixture } from "../testing.ts";

const DAY_MS = 86_400_000;

let fixture: IdentityFixture;
let organizationId: string;
beforeAll(async () => {
  fixture = await createIdentityFixture();
  organizationId = (await fixture.createOrganization()).id;
});
afterAll(() => fixture.close());

test("an organization can have a thousand live keys and no more; revoking one makes room", async () => {
  const full = (await fixture.createOrganization("Full")).id;
  const mint = () =>
    fixture.identity.keys.mint({ organizationId: full, name: "Key", scopes: ["chat"], actor: OPERATOR });
  await fixture.db.pool.query(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes)
       select gen_random_uuid(), $1::uuid, 'Key', sha256(convert_to($1::uuid::text || n, 'UTF8')), 'abcd', '{chat}' from generate_series(1, 999) n`,
    [full],
  );
  const last = await mint();
  assert(last.outcome === "ok", last.outcome);
  expect(await mint()).toEqual({ outcome: "too_many_keys" });
  await fixture.identity.keys.revoke({ organizationId: full, keyId: last.key.id, actor: OPERATOR });
  expect((await mint()).outcome).toBe("ok");
  expect(await mint()).toEqual({ outcome: "too_many_keys" });
});

test("people can discard five hundred keys a day, and the operator can create any number", async () => {
  const { id } = await fixture.createOrganization("Discarding");
  const { userId } = await fixture.addMember(id, "owner");
  const mint = (actor: Actor) =>
    fixture.identity.keys.mint({ organizationId: id, name: "Key", scopes: ["chat"], actor });
  await fixture.db.pool.query(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, minted_by, created_at, revoked_at, expires_at)
       select gen_random_uuid(), $1::uuid, 'Key', sha256(convert_to($1::uuid::text || n, 'UTF8')), 'abcd', '{chat}',
         case when n <= 600 then $2::uuid end,
         bursar_now() - case when n between 500 and 600 then interval '25 hours' else interval '23 hours' end,
         case when n % 2 = 0 then bursar_now() end, case when n % 2 = 1 then bursar_now() end
       from generate_series(1, 1200) n`,
    [id, userId],
  );
  const person: Actor = { kind: "person", userId };
  const last = await mint(person);
  assert(last.outcome === "ok", last.outcome);
  await fixture.identity.keys.revoke({ organizationId: id, keyId: last.key.id, actor: person });
  expect(await mint(person)).toEqual({ outcome: "too_many_discarded" });
  expect((await mint(OPERATOR)).outcome).toBe("ok");
});

test("an expired key makes room too", async () => {
  const full = (await fixture.createOrganization("Expired")).id;
  await fixture.db.pool.query(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, expires_at)
       select gen_random_uuid(), $1::uuid, 'Key', sha256(convert_to($1::uuid::text || n, 'UTF8')), 'abcd', '{chat}',
         bursar_now() + case when n = 1 then interval '-1 ms' else interval '1 hour' end from generate_series(1, 1000) n`,
    [full],
  );
  const mint = () =>
    fixture.identity.keys.mint({ organizationId: full, name: "Key", scopes: ["chat"], actor: OPERATOR });
  expect((await mint()).outcome).toBe("ok");
  expect(await mint()).toEqual({ outcome: "too_many_keys" });
});

test("a live key is listed, however many newer ones were revoked or have expired", async () => {
  const { id } = await fixture.createOrganization("Rotating");
  const { key: old } = await fixture.mintKey(id);
  await fixture.db.pool.query(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, created_at, revoked_at, expires_at)
       select gen_random_uuid(), $1::uuid, 'Key', sha256(convert_to($1::uuid::text || n, 'UTF8')), 'abcd', '{chat}',
         bursar_now() + interval '1 minute', case when n % 2 = 0 then bursar_now() end,
         case when n % 2 = 1 then bursar_now() end from generate_series(1, 5000) n`,
    [id],
  );
  const { key: newest } = await fixture.mintKey(id);
  await fixture.db.pool.query(
    "update api_keys set created_at = bursar_now() + interval '1 hour' where id = $1",
    [newest.id],
  );
  const { keys } = fixture.identity;
  const [listed, standings] = [await keys.list(id), await keys.standings(id)];
  expect(listed).toHaveLength(5_000);
  expect([listed.at(0)?.id, listed.at(-1)?.id]).toEqual([newest.id, old.id]);
  expect(new Set(standings.keys())).toEqual(new Set(listed.map((key) => key.id)));
});

test("a key is found by its id, and its state is listed", async () => {
  const { key } = await fixture.mintKey(organizationId);
  const { keys } = fixture.identity;
  expect(await keys.find(key.id)).toMatchObject({ id: key.id, lastFour: key.lastFour });
  expect((await keys.standings(organizationId)).get(key.id)).toEqual({ state: "live", graceEndsAt: null });
  await keys.rotate({ organizationId, keyId: key.id, actor: OPERATOR });
  expect((await keys.standings(organizationId)).get(key.id)?.graceEndsAt).toBeInstanceOf(Date);
  await keys.revoke({ organizationId, keyId: key.id, actor: OPERATOR });
  expect((await keys.standings(organizationId)).get(key.id)?.state).toBe("revoked");
});

test.each(["", "no-uuid", newId()])("an invalid or unknown id finds nothing: %j", async (id) => {
  const { keys } = fixture.identity;
  expect(await keys.find(id)).toBeUndefined();
  expect(await keys.list(id)).toEqual([]);
  expect(await keys.standings(id)).toEqual(new Map());
  expect((await keys.rotate({ organizationId, keyId: id, actor: OPERATOR })).outcome).toBe("not_found");
  expect((await keys.revoke({ organizationId, keyId: id, actor: OPERATOR })).outcome).toBe("not_found");
});

test("a rotation accepts a grace from zero to thirty days, in whole milliseconds", async () => {
  const { key } = await fixture.mintKey(organizationId);
  const rotate = (graceMs: number) =>
    fixture.identity.keys.rotate({ organizationId, keyId: key.id, graceMs, actor: OPERATOR });
  for (const good of [0, 1, 30 * DAY_MS]) expect((await rotate(good)).outcome, `${good}`).toBe("ok");
  for (const bad of [-1, 0.5, 30 * DAY_MS + 1, Number.NaN])
    expect(await rotate(bad), `${bad}`).toMatchObject({ outcome: "invalid", field: "grace" });
});
