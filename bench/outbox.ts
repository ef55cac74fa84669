import { admitTogether } from "../gateway/src/admission/admit.ts";
import type { Database } from "../gateway/src/db/index.ts";
import { startOutboxWorker } from "../gateway/src/jobs/index.ts";
import { assert, credits, systemClock } from "../gateway/src/kit/index.ts";
import { createLeaseKeeper, type Epoch } from "../gateway/src/ledger/index.ts";
import { settleTogether } from "../gateway/src/ledger/ledger.ts";
import { createPublicPost } from "../gateway/src/outbound/index.ts";
import { createOutbox, type Outbox } from "../gateway/src/outbox/index.ts";
import { createMetrics, silentLog } from "../gateway/src/telemetry/index.ts";
import { admissionOf, settlementOf } from "../test/paid-items.ts";
import { type BenchDatabase, foundOrganizations, openBenchDatabase, postgresPid } from "./bench-database.ts";
import { cpuMicros, familyCpuMicros } from "./process-cpu.ts";
import { percentile, renderTable } from "./table.ts";

const ENDPOINTS = 100;
const SILENT = 10;
const EVENTS = 10_000;
const EVENTS_A_SECOND = 250;
/** How often they are written: the least delay that can be seen. */
const TICK_MS = 20;
/** Rounds of calls with the outbox at rest and at work, in turns. */
const ROUNDS = 8;
const CALLS = 1_000;
const AT_ONCE = 4;

type Stage = { readonly bench: BenchDatabase; readonly outbox: Outbox; readonly orgIds: readonly string[] };

/** How long events take to their endpoints while others never answer, and what that costs paid calls. */
export async function run(): Promise<void> {
  const bench = await openBenchDatabase();
  const arrivals = new Map<string, number>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { type, data } = (await request.json()) as { type: string; data: { n: string } };
      if (request.url.endsWith("/silent")) return new Promise<Response>(() => {});
      if (type === "bench") arrivals.set(data.n, performance.now());
      return new Response();
    },
  });
  try {
    const { db } = bench;
    const outbox = createOutbox({
      db,
      secret: "a secret of the bench",
      post: createPublicPost(),
      mail: null,
      owners: async () => [],
      isLocal: true,
      publicUrl: "http://127.0.0.1:8787",
      log: silentLog,
      metrics: createMetrics(),
    });
    const orgIds = await foundOrganizations(db, ENDPOINTS);
    const stage = { bench, outbox, orgIds };
    for (const [at, orgId] of orgIds.entries()) {
      const address = `http://127.0.0.1:${server.port}/${at < SILENT ? "silent" : "good"}`;
      await outbox.endpoints.create(db.pool, { orgId, kind: "webhook", address, types: [] });
    }
    await measureDelays(stage, arrivals);
    await measureCalls(stage);
  } finally {
    server.stop(true);
    await bench.close();
  }
}

async function measureDelays(stage: Stage, arrivals: Map<string, number>): Promise<void> {
  const { bench, outbox, orgIds } = stage;
  const rows: string[][] = [];
  for (const withSilent of [false, true]) {
    const told = withSilent ? orgIds : orgIds.slice(SILENT);
    const worker = startOutboxWorker({ outbox, log: silentLog });
    arrivals.clear();
    const cpuBefore = process.cpuUsage();
    const written = await writeEvents(bench.db, told);
    const good = [...written].filter(([n]) => !orgIds.slice(0, SILENT).includes(n.split("/")[0] ?? ""));
    while (arrivals.size < good.length) await Bun.sleep(50);
    const cpu = process.cpuUsage(cpuBefore);
    await worker.stop();
    const delays = good.map(([n, at]) => (arrivals.get(n) ?? 0) - at).sort((a, b) => a - b);
    rows.push([
      withSilent ? `${SILENT} of ${ENDPOINTS} never answer` : "all answer",
      String(good.length),
      ...[0.5, 0.99, 1].map((share) => Math.round(percentile(delays, share)).toString()),
      ((cpu.user + cpu.system) / 1000 / good.length).toFixed(2),
    ]);
  }
  console.log(
    renderTable(["events to good endpoints", "events", "p50 ms", "p99 ms", "most ms", "CPU ms"], rows),
  );
}

/** When each was committed; spread over the organizations. */
async function writeEvents(db: Database, orgIds: readonly string[]): Promise<Map<string, number>> {
  const written = new Map<string, number>();
  const perTick = (EVENTS_A_SECOND * TICK_MS) / 1000;
  const startedMs = performance.now();
  for (let tick = 0; written.size < EVENTS; tick++) {
    const names = Array.from({ length: perTick }, (_, at) => {
      const n = tick * perTick + at;
      return { org: orgIds[n % orgIds.length] ?? "", name: `${orgIds[n % orgIds.length]}/${n}` };
    });
    await db.pool.query(
      `select event_append(o, 'bench', jsonb_build_object('n', n)) from unnest($1::uuid[], $2::text[]) as t (o, n)`,
      [names.map(({ org }) => org), names.map(({ name }) => name)],
    );
    for (const { name } of names) written.set(name, performance.now());
    await Bun.sleep(Math.max(0, startedMs + (tick + 1) * TICK_MS - performance.now()));
  }
  return written;
}

/** What is left for the silent endpoints keeps the outbox at work meanwhile. */
async function measureCalls({ bench, outbox, orgIds }: Stage): Promise<void> {
  const { db, folder } = bench;
  const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
  const pid = postgresPid(folder);
  const micros: Record<"rest" | "work", { own: number[]; database: number[] }> = {
    rest: { own: [], database: [] },
    work: { own: [], database: [] },
  };
  await pay(db, lease.current, orgIds, CALLS);
  for (let round = 0; round < 2 * ROUNDS; round++) {
    // As likely first as second: the machine has moods.
    const kind = [0, 3].includes(round % 4) ? "rest" : "work";
    const worker = kind === "work" ? startOutboxWorker({ outbox, log: silentLog }) : null;
    const [own, database] = [cpuMicros(process.pid), familyCpuMicros(pid)];
    await pay(db, lease.current, orgIds, CALLS);
    micros[kind].own.push((cpuMicros(process.pid) - own) / CALLS);
    micros[kind].database.push((familyCpuMicros(pid) - database) / CALLS);
    await worker?.stop();
  }
  await lease.leave();
  const rows = (["rest", "work"] as const).map((kind) => [
    `outbox at ${kind}`,
    ...[micros[kind].own, micros[kind].database].flatMap((all) => {
      const sorted = all.toSorted((a, b) => a - b);
      return [sorted[0], percentile(sorted, 0.5), sorted.at(-1)].map((each) =>
        Math.round(each ?? 0).toString(),
      );
    }),
  ]);
  const head = ["gateway", "database"].flatMap((who) => [`${who} least µs`, "median", "most"]);
  console.log(`\n${renderTable(["CPU of a paid call", ...head], rows)}`);
}

async function pay(db: Database, epoch: Epoch, orgIds: readonly string[], calls: number): Promise<void> {
  let left = calls;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      while (left-- > 0) {
        const call = admissionOf(orgIds[at] ?? "", 1);
        const [admission] = await admitTogether(db, epoch, [call]);
        assert(admission?.outcome === "admitted", "an admission");
        const [settled] = await settleTogether(db, [settlementOf(call, credits(1))]);
        assert(settled?.outcome === "settled", "a settlement");
      }
    }),
  );
}
