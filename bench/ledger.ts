import { type AdmissionCall, createAdmitter } from "../gateway/src/admission/index.ts";
import { admitAll } from "../gateway/src/admission/store.ts";
import type { Database } from "../gateway/src/db/index.ts";
import { assert, credits, present, systemClock } from "../gateway/src/kit/index.ts";
import { createLeaseKeeper, createLedger } from "../gateway/src/ledger/index.ts";
import { settleAll } from "../gateway/src/ledger/store.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { admissionOf, settlementOf } from "../test/paid-items.ts";
import { foundOrganizations, openBenchDatabase } from "./bench-database.ts";
import { fdatasyncMedianMs } from "./fdatasync.ts";
import { renderTable } from "./table.ts";

const CONCURRENT = 256;
/** For the baseline; more would make it slower, since all of them wait for one row. */
const CONNECTIONS = 20;
const PAIRS = 40_000;
const BASELINE_PAIRS = 2_000;
const WARM_UP_PAIRS = 5_000;

type Figures = { pairsPerSecond: number; cpuMicrosPerPair: number };

/** Pairs of hold and settle: shared round trips against one transaction per call, in one run. */
export async function run(): Promise<void> {
  const bench = await openBenchDatabase();
  try {
    const { db } = bench;
    const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
    const admitter = createAdmitter({ db, lease });
    const ledger = createLedger(db);

    async function shared(call: AdmissionCall): Promise<void> {
      const admission = await admitter.admit(call);
      assert(admission.outcome === "admitted", admission.outcome);
      await ledger.settle(settlementOf(call, credits(1)));
    }
    const spread = spreadOver(db, CONNECTIONS);
    async function alone(call: AdmissionCall): Promise<void> {
      const [admission] = await admitAll(spread, lease.current, [call], false);
      assert(admission?.outcome === "admitted", "an admission");
      await settleAll(spread, "call", [settlementOf(call, credits(1))]);
    }

    const one = await foundOrganizations(db, 1);
    const many = await foundOrganizations(db, 1000);
    await measure(one, WARM_UP_PAIRS, shared);
    const baseline = await measure(one, BASELINE_PAIRS, alone);
    const single = await measure(one, PAIRS, shared);
    const thousand = await measure(many, PAIRS, shared);
    const row = (name: string, figures: Figures) => [
      name,
      figures.pairsPerSecond.toFixed(0),
      (figures.pairsPerSecond / baseline.pairsPerSecond).toFixed(1),
      figures.cpuMicrosPerPair.toFixed(1),
    ];
    console.log(
      `${CONCURRENT} calls at once; fdatasync p50 ${fdatasyncMedianMs(bench.folder).toFixed(2)} ms\n`,
    );
    console.log(
      renderTable(
        ["hold + settle", "pairs/s", "× baseline", "gateway CPU µs/pair"],
        [
          row("one transaction per call, one organization", baseline),
          row("shared, one organization", single),
          row("shared, 1,000 organizations", thousand),
        ],
      ),
    );
    await lease.leave();
  } finally {
    await bench.close();
  }
}

/** As a gateway without batches would do it: each call takes the next of several connections. */
function spreadOver(db: Database, connections: number): Database {
  let next = 0;
  return { ...db, lane: () => db.lane(`alone-${next++ % connections}`) };
}

async function measure(
  orgIds: readonly string[],
  pairs: number,
  pair: (call: AdmissionCall) => Promise<void>,
): Promise<Figures> {
  let next = 0;
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      while (next < pairs)
        await pair(admissionOf(present(orgIds[next++ % orgIds.length], "an organization"), 1));
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const used = process.cpuUsage(cpu);
  return { pairsPerSecond: pairs / seconds, cpuMicrosPerPair: (used.user + used.system) / pairs };
}
