import { afterAll, beforeAll, expect, test } from "bun:test";
import type { UsageView } from "./index.ts";
import { createUsageHarness, type TestOrganization, type UsageHarness } from "./testing.ts";

const NAMED = 1_000;
const KEYS = 1_500;

let harness: UsageHarness;
let organization: TestOrganization;
let view: UsageView;

beforeAll(async () => {
  harness = await createUsageHarness();
  organization = await harness.createOrganization();
  // Each spent two credits more than the one before it, on two days.
  await harness.db.pool.query(
    `with made as (
       insert into api_keys (id, org_id, name, secret_hash, last_four, scopes)
       select gen_random_uuid(), $1, 'Key ' || n, sha256(n::text::bytea), lpad(n::text, 4, '0'), '{chat}'
       from generate_series(1, ${KEYS}) n returning id, last_four::integer as n)
     insert into rollups
     select $1, (at at time zone 'UTC')::date - ago, id, null, 'talker', 'api-v1-chat', 1, 0, n, 0, 7, 3, 1,
       at - ago * interval '1 day'
     from made, generate_series(0, 1) ago, (select bursar_now() as at) clock`,
    [organization.id],
  );
  view = await harness.usage.usageView(organization, { days: 2, limit: 1 });
});

afterAll(() => harness.drop());

test("a report names the thousand keys that spent most", () => {
  const named = view.by_api_key.slice(0, NAMED);
  expect(named.map(({ name }) => name)).toEqual(
    Array.from({ length: NAMED }, (_, place) => `Key ${KEYS - place}`),
  );
  expect(named[0]).toMatchObject({ last_four: "1500", requests: 2, credits_charged: 2 * KEYS });
  expect(view.by_api_key).toHaveLength(NAMED + 1);
});

test("the last row sums up all other keys, so that the rows add up to the summary", () => {
  const rest = KEYS - NAMED;
  expect(view.by_api_key.at(-1)).toEqual({
    api_key_id: null,
    name: null,
    last_four: null,
    requests: 2 * rest,
    credits_charged: rest * (rest + 1),
    cache_saved_credits: 0,
    last_used_at: view.by_api_key[0]?.last_used_at ?? "",
  });
  const sumOf = (field: "requests" | "credits_charged") =>
    view.by_api_key.reduce((sum, row) => sum + row[field], 0);
  expect([sumOf("requests"), sumOf("credits_charged")]).toEqual([2 * KEYS, KEYS * (KEYS + 1)]);
  expect(view.summary).toMatchObject({ requests: 2 * KEYS, credits_charged: KEYS * (KEYS + 1) });
});

test("exactly a thousand keys are all named, without a row for others", async () => {
  await harness.db.pool.query("delete from rollups where org_id = $1 and credits_charged <= $2", [
    organization.id,
    KEYS - NAMED,
  ]);
  const { by_api_key } = await harness.usage.usageView(organization, { days: 2, limit: 1 });
  expect(by_api_key).toHaveLength(NAMED);
  expect(by_api_key.at(-1)?.name).toBe(`Key ${KEYS - NAMED + 1}`);
});

test("the spend of given keys is theirs only, and nothing for another organization", async () => {
  await organization.topUp(100);
  await organization.pay(3);
  const unused = await organization.addKey("Unused", "bbbb");
  const keyIds = [organization.keyId, unused];
  const spend = await harness.usage.spendOfKeys(organization.id, { days: 30, keyIds });
  expect([...spend]).toEqual([
    [organization.keyId, { requests: 1, credits: 3, lastUsedAt: expect.any(Date) }],
  ]);
  const elsewhere = await harness.createOrganization();
  expect((await harness.usage.spendOfKeys(elsewhere.id, { days: 30, keyIds })).size).toBe(0);
});
