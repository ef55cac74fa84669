import { admitAll } from "../gateway/src/admission/store.ts";
import type { Database } from "../gateway/src/db/index.ts";
import { lowestIdAt } from "../gateway/src/kit/id-testing.ts";
import { assert, credits, newId, present, systemClock } from "../gateway/src/kit/index.ts";
import { createLeaseKeeper, type Epoch } from "../gateway/src/ledger/index.ts";
import { settleAll } from "../gateway/src/ledger/store.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { createUsage } from "../gateway/src/usage/index.ts";
import { admissionOf, settlementOf } from "../test/paid-items.ts";
import { foundOrganizations, openBenchDatabase } from "./bench-database.ts";
import { median, renderTable } from "./table.ts";

const SIZES = [10_000, 100_000, 1_000_000];
const SPREAD_DAYS = 28;
/** Most items per round trip while history is written. */
const BATCH = 5_000;
const DAY_MS = 86_400_000;
const KEYS = 20;
const MEMBERS = 50;
const MODELS = 10;
const REPEATS = 300;

type Figures = { usage: number; balance: number; admit: number; settle: number };

/** What reports, admission and settlement cost one organization as its history grows. */
export async function run(): Promise<void> {
  const bench = await openBenchDatabase();
  try {
    const { db } = bench;
    const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
    const orgId = present((await foundOrganizations(db, 1))[0], "an organization");
    await addPeople(db, orgId);
    const figures: Figures[] = [];
    let written = 0;
    for (const size of SIZES) {
      // Every size spans the same weeks: only the number of calls in them grows.
      const perDay = Math.ceil((size - written) / SPREAD_DAYS);
      for (let daysAgo = 0; daysAgo < SPREAD_DAYS; daysAgo++) {
        for (let left = perDay; left > 0; left -= BATCH) {
          await writeHistory({ db, epoch: lease.current, orgId, daysAgo, count: Math.min(left, BATCH) });
        }
        await lease.renew();
      }
      written = size;
      // Autovacuum would do this within minutes: the bench must not wait for it.
      await db.pool.query("vacuum analyze");
      await db.pool.query("checkpoint");
      figures.push(await measure(db, lease.current, orgId));
    }
    print(figures);
    await lease.leave();
  } finally {
    await bench.close();
  }
}

const keyIds = Array.from({ length: KEYS }, () => newId());
const memberIds = Array.from({ length: MEMBERS }, () => newId());

async function addPeople(db: Database, orgId: string): Promise<void> {
  await db.pool.query(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, created_at)
     select id, $1, id::text, sha256(uuid_send(id)), 'abcd', '{chat}', bursar_now() from unnest($2::uuid[]) as id`,
    [orgId, keyIds],
  );
  await db.pool.query(
    `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
     select id, id::text, id::text || '@example.com', true, bursar_now(), bursar_now() from unnest($1::uuid[]) as id`,
    [memberIds],
  );
}

/** Real admissions and settlements, then backdated so that the history spans weeks. */
async function writeHistory(input: {
  db: Database;
  epoch: Epoch;
  orgId: string;
  daysAgo: number;
  count: number;
}): Promise<void> {
  const { db, epoch, orgId, daysAgo } = input;
  const calls = Array.from({ length: input.count }, (_, i) =>
    admissionOf(orgId, 1, {
      requestId: idDaysAgo(daysAgo),
      keyId: present(keyIds[i % KEYS], "a key"),
      memberUserId: i % 3 === 0 ? null : present(memberIds[i % MEMBERS], "a member"),
      model: `model-${i % MODELS}`,
    }),
  );
  await admitAll(db, epoch, calls, false);
  await settleAll(
    db,
    "call",
    calls.map((call) => settlementOf(call, credits(1))),
  );
  await db.pool.query(
    `update requests set created_at = created_at - $2 * interval '1 day', settled_at = settled_at - $2 * interval '1 day'
     where org_id = $1 and request_id = any($3::uuid[])`,
    [orgId, daysAgo, calls.map((call) => call.requestId)],
  );
  // Spread over distinct days in rollups, as for a real organization.
  await db.pool.query(
    `with moved as (delete from rollups where org_id = $1 and day = (bursar_now() at time zone 'UTC')::date returning *)
     insert into rollups select org_id, day - $2::int, key_id, member_id, model, endpoint, requests, failed_requests,
       credits_charged, written_off_credits, input_tokens, output_tokens, tokens_saved, last_at from moved
     on conflict (org_id, day, key_id, member_id, model, endpoint) do update set
       requests = rollups.requests + excluded.requests, credits_charged = rollups.credits_charged + excluded.credits_charged`,
    [orgId, daysAgo],
  );
}

function idDaysAgo(days: number): string {
  const day = lowestIdAt(Math.round(Date.now() - days * DAY_MS));
  return `${day.slice(0, 13)}${newId().slice(13)}`;
}

async function measure(db: Database, epoch: Epoch, orgId: string): Promise<Figures> {
  const usage = createUsage({
    db,
    clock: systemClock,
    typeOfModel: () => "text",
    lowBalance: { lowBalancePercent: 10, lowBalanceCredits: 1_000 },
  });
  const organization = { id: orgId, plan: "pro" };
  const times = {
    usage: [] as number[],
    balance: [] as number[],
    admit: [] as number[],
    settle: [] as number[],
  };
  for (let i = 0; i < REPEATS + 20; i++) {
    const call = admissionOf(orgId, 1, { keyId: present(keyIds[i % KEYS], "a key"), model: "model-1" });
    const took = {
      usage: await timed(() => usage.usageView(organization, { days: 30, limit: 50 })),
      balance: await timed(() => usage.balanceView(organization, { limit: 50 })),
      admit: await timed(async () => {
        const [answer] = await admitAll(db, epoch, [call], false);
        assert(answer?.outcome === "admitted", "an admission");
      }),
      settle: await timed(() => settleAll(db, "call", [settlementOf(call, credits(1))])),
    };
    if (i < 20) continue;
    for (const name of ["usage", "balance", "admit", "settle"] as const) times[name].push(took[name]);
  }
  return {
    usage: median(times.usage),
    balance: median(times.balance),
    admit: median(times.admit),
    settle: median(times.settle),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function print(figures: readonly Figures[]): void {
  const first = present(figures[0], "figures");
  const last = present(figures.at(-1), "figures");
  const rows = (["usage", "balance", "admit", "settle"] as const).map((name) => [
    { usage: "usage view, 30 days", balance: "balance view", admit: "admission", settle: "settlement" }[name],
    ...figures.map((one) => one[name].toFixed(2)),
    (last[name] / first[name]).toFixed(2),
  ]);
  console.log("p50 in ms, one organization\n");
  console.log(
    renderTable(["requests", ...SIZES.map((size) => size.toLocaleString("en")), "last ÷ first"], rows),
  );
}
