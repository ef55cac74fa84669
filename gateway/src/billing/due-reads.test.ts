import { afterAll, expect, test } from "bun:test";
import { rowsReadBy } from "../../../test/rows-read.ts";
import { createTestDatabase } from "../db/testing.ts";
import { loadComing, loadDue } from "./store.ts";

const database = await createTestDatabase({ poolSize: 1 });
const { db } = database;
afterAll(() => database.drop());

const PLANS = 2_000;
/** Small compared to all rows, as a page is in a large database. */
const PAGE = 10;

test("looking for due and upcoming plans reads few of the others", async () => {
  await db.pool.query(
    `insert into organization (id, name, slug, plan)
     select gen_random_uuid(), 'Acme', n::text, 'pro' from generate_series(1, $1) n`,
    [PLANS],
  );
  await db.pool.query("update subscriptions set renews_at = bursar_now() + interval '20 days'");
  await db.pool.query("vacuum analyze subscriptions, organization");
  const read = await rowsReadBy(db, "subscriptions", async () => {
    await loadDue(db, null, PAGE);
    await loadComing(db, { aheadMs: 60_000, after: null, limit: PAGE });
  });
  expect(read.inSequence + read.byIndex).toBeLessThan(PLANS / 10);
});
