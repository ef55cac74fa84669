import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { newId } from "../kit/index.ts";
import { loadStatement, type StatementQuery, statementSql } from "./statement-store.ts";

const ENTRIES = 200_000;

let database: TestDatabase;
const orgId = newId();

/** Subscription charges, with an early grant to each pool and one anytime charge among them. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database.db;
  await pool.query(
    `insert into entries (org_id, seq, created_at, type, pool, amount, balance_after, description, hash)
     select $1, n, bursar_now(), case when n in (1, 7) then 'grant' else 'charge' end,
       case when n in (7, 100000) then 'anytime' else 'subscription' end, 1, 1, 'entry ' || n, ''
     from generate_series(1, $2) n`,
    [orgId, ENTRIES],
  );
  await pool.query("analyze entries");
}, 60_000);
afterAll(() => database.drop());

const ask = (change: Partial<StatementQuery> = {}) =>
  loadStatement(database.db, { orgId, beforeSeq: null, pool: null, type: null, limit: 50, ...change });

describe("a statement of two hundred thousand entries", () => {
  test("has pages without gaps or repeats", async () => {
    const first = await ask();
    const second = await ask({ beforeSeq: first.nextBeforeSeq });
    const seqs = [...first.entries, ...second.entries].map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 100 }, (_, n) => ENTRIES - n));
  });

  test("finds rare entries on the first page, however old they are", async () => {
    const { entries, nextBeforeSeq } = await ask({ type: "grant" });
    expect(entries.map(({ seq }) => seq)).toEqual([7, 1]);
    expect(nextBeforeSeq).toBeNull();
    expect((await ask({ type: "grant", pool: "anytime" })).entries.map(({ seq }) => seq)).toEqual([7]);
  });

  test("searches a bounded part per page for a rare match, and the next page continues from there", async () => {
    let page = await ask({ pool: "anytime", type: "charge" });
    expect(page).toEqual({ entries: [], nextBeforeSeq: ENTRIES - 4_999 });
    for (let n = 0; n < 50 && page.nextBeforeSeq !== null && page.entries.length === 0; n++) {
      page = await ask({ pool: "anytime", type: "charge", beforeSeq: page.nextBeforeSeq });
    }
    expect(page.entries.map(({ seq }) => seq)).toEqual([100_000]);
  });

  test("reads every page by an index", async () => {
    for (const [isRare, type] of [
      [false, null],
      [true, "grant"],
    ] as const) {
      const { rows } = await database.db.pool.query<{ "QUERY PLAN": string }>(
        `explain ${statementSql(isRare)}`,
        [orgId, null, 50, type, null, 50],
      );
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toContain(isRare ? "entries_but_charges" : "entries_pkey");
      expect(plan).not.toContain("Seq Scan on entries");
      expect(plan).not.toContain("Bitmap");
    }
  });

  test("marks its last page as the last", async () => {
    expect(await ask({ beforeSeq: 3 })).toMatchObject({
      entries: [{ seq: 2 }, { seq: 1 }],
      nextBeforeSeq: null,
    });
  });
});
