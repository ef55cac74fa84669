import { admitTogether } from "../gateway/src/admission/admit.ts";
import { admitAll } from "../gateway/src/admission/store.ts";
import type { Database } from "../gateway/src/db/index.ts";
import { assert, credits, present, systemClock } from "../gateway/src/kit/index.ts";
import { createLeaseKeeper, type Epoch } from "../gateway/src/ledger/index.ts";
import { settleTogether } from "../gateway/src/ledger/ledger.ts";
import { settleAll } from "../gateway/src/ledger/store.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { admissionOf, settlementOf } from "../test/paid-items.ts";
import { foundOrganizations, openBenchDatabase } from "./bench-database.ts";
import { fdatasyncMedianMs } from "./fdatasync.ts";
import { percentile, renderTable } from "./table.ts";

const CALLS = 3_000;
/** Calls of one kind in a row before the kinds take turns: a gateway does not switch with every call either. */
const BLOCK = 50;
const WARM_UP_CALLS = 300;

type Times = Map<string, number[]>;

/** How long a single call waits for the database: by the short path, by that for batches, and the least possible. */
export async function run(): Promise<void> {
  const bench = await openBenchDatabase();
  try {
    const { db } = bench;
    const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
    const orgId = present((await foundOrganizations(db, 1))[0], "an organization");
    await db.pool.query("create table bench_row (n bigint) with (fillfactor = 30)");
    await db.pool.query("insert into bench_row values (0)");
    const times: Times = new Map();
    for (let done = 0; done < CALLS; done += BLOCK) {
      const round: Times = new Map();
      await measureFloor(db, round);
      await measureCalls({ db, epoch: lease.current, orgId, isShort: false, times: round });
      await measureCalls({ db, epoch: lease.current, orgId, isShort: true, times: round });
      if (done < WARM_UP_CALLS) continue;
      for (const [name, values] of round) times.set(name, [...(times.get(name) ?? []), ...values]);
    }
    console.log(`fdatasync p50 ${fdatasyncMedianMs(bench.folder).toFixed(2)} ms; times in ms\n`);
    console.log(renderTable(["one call at a time", "p10", "p50", "p99"], [...times].map(rowOf)));
    await lease.leave();
  } finally {
    await bench.close();
  }
}

function rowOf([name, values]: [string, number[]]): string[] {
  const sorted = values.toSorted((a, b) => a - b);
  return [name, ...[0.1, 0.5, 0.99].map((share) => percentile(sorted, share).toFixed(3))];
}

async function timed<T>(times: Times, name: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - startedMs;
  times.set(name, [...(times.get(name) ?? []), elapsedMs]);
  return result;
}

async function measureFloor(db: Database, times: Times): Promise<void> {
  const lane = db.lane("admit");
  for (let i = 0; i < BLOCK; i++) {
    await timed(times, "a round trip", () => lane.query("select $1::integer", [i]));
    await timed(times, "a row changed and committed", () => lane.query("update bench_row set n = $1", [i]));
  }
}

async function measureCalls(input: {
  db: Database;
  epoch: Epoch;
  orgId: string;
  isShort: boolean;
  times: Times;
}): Promise<void> {
  const { db, epoch, times } = input;
  const way = input.isShort ? "alone" : "as a batch";
  for (let i = 0; i < BLOCK; i++) {
    const call = admissionOf(input.orgId, 1);
    const [admission] = await timed(times, `admit ${way}`, () =>
      input.isShort ? admitTogether(db, epoch, [call]) : admitAll(db, epoch, [call], false),
    );
    assert(admission?.outcome === "admitted", "an admission");
    const settlement = settlementOf(call, credits(1));
    const [settled] = await timed(times, `settle ${way}`, () =>
      input.isShort ? settleTogether(db, [settlement]) : settleAll(db, "call", [settlement]),
    );
    assert(settled?.outcome === "settled", "a settlement");
  }
}
