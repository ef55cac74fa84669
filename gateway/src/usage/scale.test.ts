import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../db/index.ts";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { newId, systemClock } from "../kit/index.ts";
import { createUsage, type RequestPageQuery, type Usage } from "./index.ts";
import { LOW_BALANCE } from "./testing.ts";

/**
 * The same weeks with more and more calls in them. What a query reads is counted in pages of the database, which is the
 * same on every machine, however busy.
 */
const SMALL = 30_000;
const LARGE = 90_000;
const DAYS = 28;
/** Organizations beside the one that asks: if its rows were all there are, reading the whole table would be right. */
const OTHERS = 20;
const KEY = newId();
const MEMBER = newId();
const orgId = newId();

const PAGE: RequestPageQuery = {
  filter: { days: 30 },
  status: null,
  sort: "time",
  isAscending: false,
  limit: 50,
  cursor: null,
};

const QUESTIONS: Readonly<Record<string, (usage: Usage) => Promise<unknown>>> = {
  "the report": (usage) => usage.report(orgId, { filter: { days: 90 }, split: "model" }),
  "a report of one member": (usage) =>
    usage.report(orgId, { filter: { days: 90 }, split: "model", onlyMemberId: MEMBER }),
  "the newest requests": (usage) => usage.requests(orgId, PAGE),
  "the oldest requests": (usage) => usage.requests(orgId, { ...PAGE, isAscending: true }),
  "requests of one model": (usage) => usage.requests(orgId, { ...PAGE, filter: { days: 30, model: "m-3" } }),
  "requests of a member who made few": (usage) =>
    usage.requests(orgId, { ...PAGE, filter: { days: 30, memberId: MEMBER } }),
  "requests of a model that nobody called": (usage) =>
    usage.requests(orgId, { ...PAGE, filter: { days: 30, model: "none" } }),
  "the most expensive requests": (usage) => usage.requests(orgId, { ...PAGE, sort: "credits" }),
  "a receipt": (usage) => usage.receipt(orgId, newId()),
  "the standing": (usage) => usage.standing(orgId),
};

let database: TestDatabase;
const read = new Map<string, { small: Reading; large: Reading }>();

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  await database.db.pool.query("insert into organization (id, name, slug) values ($1, 'Large', 'large')", [
    orgId,
  ]);
  await fill(1, SMALL);
  const small = await readAll();
  await fill(SMALL + 1, LARGE);
  const large = await readAll();
  const nothing: Reading = { pages: 0, scans: [] };
  for (const name of Object.keys(QUESTIONS)) {
    read.set(name, { small: small.get(name) ?? nothing, large: large.get(name) ?? nothing });
  }
}, 60_000);

afterAll(() => database.drop());

describe("with three times as many requests", () => {
  test.each(Object.keys(QUESTIONS))("%s reads hardly more pages", (name) => {
    const { small, large } = read.get(name) ?? {};
    expect(small?.pages).toBeGreaterThan(0);
    // A margin for an index that grew by a level, or a page that a row happens to begin on.
    expect(large?.pages).toBeLessThanOrEqual((small?.pages ?? 0) * 1.2 + 12);
  });

  test.each(Object.keys(QUESTIONS))("%s scans neither requests nor rollups from end to end", (name) => {
    expect(read.get(name)?.large.scans.filter((scan) => scan.startsWith("Seq Scan"))).toEqual([]);
  });
});

/** One row per request, and its totals in the rollups, as settlement writes both. */
async function fill(from: number, to: number): Promise<void> {
  const { pool } = database.db;
  await pool.query(
    `with made as (
       select n, now - ((n * 7919 % ${SMALL}) / ${SMALL}.0) * ${DAYS} * interval '1 day' as at
       from generate_series($2::integer, $3::integer) n, (select bursar_now() as now) clock)
     insert into requests
     select $1, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid, at,
       at, 'call', 'succeeded', 'api-v1-chat', 'm-' || n % 10, $4::uuid,
       case when n = 1 then $5::uuid end, 10, n % 40, 0, 0, 0, 0, 100, 10, 1, n % 5000, null, null, null
     from made`,
    [orgId, from, to, KEY, MEMBER],
  );
  await pool.query("delete from rollups");
  await pool.query(
    `insert into rollups
     select org_id, (settled_at at time zone 'UTC')::date, key_id, member_id, model, endpoint, count(*), 0,
       sum(charged_subscription), 0, sum(input_tokens), sum(output_tokens), sum(tokens_saved), max(settled_at)
     from requests group by 1, 2, 3, 4, 5, 6`,
  );
  await pool.query(
    `insert into rollups
     select other, day, key_id, member_id, model, endpoint, requests, 0, credits_charged, 0, input_tokens,
       output_tokens, tokens_saved, last_at
     from rollups, (select gen_random_uuid() as other from generate_series(1, ${OTHERS})) others`,
  );
  await pool.query("vacuum full analyze rollups");
  await pool.query("vacuum analyze requests");
}

type Reading = { pages: number; scans: string[] };
type PlanNode = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
};

async function readAll(): Promise<Map<string, Reading>> {
  const all = new Map<string, Reading>();
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const reading: Reading = { pages: 0, scans: [] };
    await ask(
      createUsage({
        db: watched(reading),
        clock: systemClock,
        typeOfModel: () => "text",
        lowBalance: LOW_BALANCE,
      }),
    );
    all.set(name, reading);
  }
  return all;
}

/** Runs each statement, and then again to get its plan. */
function watched(reading: Reading): Database {
  const { db } = database;
  type Statement = string | { readonly text: string; readonly values: unknown[] };
  const query = async (statement: Statement, values: unknown[] = []) => {
    const asked = typeof statement === "string" ? { text: statement, values } : statement;
    const { rows } = await db.pool.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, format json) ${asked.text}`,
      asked.values,
    );
    for (const { Plan } of rows[0]?.["QUERY PLAN"] ?? []) {
      reading.pages += Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
      reading.scans.push(...scansOf(Plan));
    }
    return db.pool.query(asked.text, asked.values);
  };
  return { ...db, pool: { query } as unknown as Database["pool"] };
}

/** Scans of tables that were really read. A table without rows is scanned in full, and rightly so. */
function scansOf(node: PlanNode): string[] {
  const relation = node["Relation Name"];
  const isLarge = relation !== undefined && /^(requests|rollups)/.test(relation) && node["Actual Loops"] > 0;
  const own = isLarge && relation !== "requests_default" ? [`${node["Node Type"]} ${relation}`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}
