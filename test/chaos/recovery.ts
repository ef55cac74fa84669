import type { TestDatabase } from "../../gateway/src/db/testing.ts";
import { startSweepingNode } from "../faults/sweeping-node.ts";
import type { Check } from "./check.ts";
import { socketsOf } from "./open-sockets.ts";
import type { RunOrganization } from "./operator.ts";
import { type Footprint, footprintOf, untilRecovered } from "./probes.ts";
import type { RunningClients } from "./running-clients.ts";
import type { Scale } from "./scale.ts";
import type { Stage } from "./stage.ts";
import { type TimedKill, timeKill } from "./timed-kill.ts";

export type Recovery = {
  /** From the last fault until every probe succeeded. */
  readonly probesMs: number;
  /** From the last fault until no hold and no job was left. */
  readonly quietMs: number;
  readonly kills: readonly TimedKill[];
  readonly before: Footprint;
  readonly after: Footprint;
  readonly checks: readonly Check[];
};

const PROBES_LIMIT_MS = 30_000;
/** A lease, its sweep, and then a job's own lease and pauses. */
const QUIET_LIMIT_MS = 150_000;
const SERVES_LIMIT_MS = 2_000;
const HOLDS_LIMIT_MS = 10_000;
const LOOK_MS = 50;
/** Closing sockets and returning memory takes time. */
const SETTLE_LIMIT_MS = 60_000;
const MORE_FILES = 20;
const MORE_CONNECTIONS = 10;
const MORE_MEGABYTES = 120;
/** Longer than the lease of a job. */
const BEYOND_JOBS_MS = 40_000;

/** After the last fault: everything must recover by itself, and soon. */
export async function recover(input: {
  stage: Stage;
  scale: Scale;
  prober: RunOrganization;
  baseline: Footprint;
  clients: RunningClients;
}): Promise<Recovery> {
  const { stage, prober, scale, clients, baseline } = input;
  const startedMs = performance.now();
  const finished = clients.finish();
  const probes = await untilRecovered(stage, prober, PROBES_LIMIT_MS);
  if (scale.isSwift) await passTime(stage);
  await finished;
  const left = await untilQuiet(stage.database);
  const quietMs = performance.now() - startedMs;
  const kills: TimedKill[] = [];
  for (let at = 0; at < scale.timedKills; at++)
    kills.push(await timeKill(stage, prober, at % 2 === 0 ? 0 : 1));
  const after = await untilSmall(stage, baseline);
  await untilQuiet(stage.database);
  return {
    probesMs: probes.tookMs,
    quietMs,
    kills,
    before: baseline,
    after,
    checks: [
      {
        what: "within 30 s of the last fault every probe succeeds",
        looked: `${(probes.tookMs / 1000).toFixed(1)} s`,
        faults: probes.failed,
      },
      { what: "calls and jobs come to their end", looked: `${(quietMs / 1000).toFixed(0)} s`, faults: left },
      withSockets(stage, checkFootprint(baseline, after)),
      ...(kills.length === 0 ? [] : checkKills(kills)),
    ],
  };
}

/**
 * Ends the leases of dead nodes without waiting: all nodes stop, the database's clock passes a lease, and new ones
 * start.
 */
async function passTime(stage: Stage): Promise<void> {
  await Promise.all(stage.nodes.map((node) => node.terminate()));
  const sweeper = await startSweepingNode(stage.database);
  await sweeper.sweepAfterALease();
  await sweeper.close();
  await stage.database.advanceClock(BEYOND_JOBS_MS);
}

/** What is left after the limit; empty if all has ended. */
async function untilQuiet({ db }: TestDatabase): Promise<string[]> {
  for (const endMs = performance.now() + QUIET_LIMIT_MS; ; ) {
    const { rows } = await db.pool.query<{ holds: number; jobs: number }>(
      `select (select count(*)::int from holds) as holds,
         (select count(*)::int from video_jobs where status = 'processing') as jobs`,
    );
    const { holds = 0, jobs = 0 } = rows[0] ?? {};
    if (holds + jobs === 0) return [];
    if (performance.now() > endMs) return [`${holds} holds and ${jobs} jobs are left`];
    await Bun.sleep(LOOK_MS);
  }
}

async function untilSmall(stage: Stage, baseline: Footprint): Promise<Footprint> {
  for (const endMs = performance.now() + SETTLE_LIMIT_MS; ; ) {
    await Promise.all(stage.nodes.map((node) => node.whenUp()));
    const now = await footprintOf(stage);
    if (checkFootprint(baseline, now).faults.length === 0 || performance.now() > endMs) return now;
    await Bun.sleep(LOOK_MS);
  }
}

function checkFootprint(before: Footprint, after: Footprint): Check {
  const faults: string[] = [];
  const most = (name: keyof Footprint, more: number) => {
    if (after[name] > before[name] + more) faults.push(`${after[name]} ${name}, before ${before[name]}`);
  };
  most("files", MORE_FILES);
  most("connections", MORE_CONNECTIONS);
  most("megabytes", MORE_MEGABYTES);
  const words = ({ files, connections, megabytes }: Footprint) =>
    `${files} files, ${connections} connections, ${megabytes.toFixed(0)} MB`;
  return {
    what: "sockets, connections and memory are back where they were",
    looked: `${words(before)} → ${words(after)}`,
    faults,
  };
}

/** Adds where the leaked sockets lead. */
function withSockets(stage: Stage, check: Check): Check {
  if (check.faults.length === 0) return check;
  const open = stage.nodes.flatMap(({ process }) => (process === null ? [] : [socketsOf(process.pid)]));
  return { ...check, faults: [...check.faults, ...open] };
}

function checkKills(kills: readonly TimedKill[]): Check[] {
  const serves = Math.max(...kills.map(({ servesAfterMs }) => servesAfterMs));
  const holds = Math.max(...kills.map(({ holdsGoneAfterLeaseMs }) => holdsGoneAfterLeaseMs));
  return [
    {
      what: "after a kill a node serves again within 2 s",
      looked: `${kills.length} kills, ${(serves / 1000).toFixed(2)} s at most`,
      faults: serves > SERVES_LIMIT_MS ? [`${serves.toFixed(0)} ms`] : [],
    },
    {
      what: "orphaned holds are gone within 10 s of their lease",
      looked: `${kills.reduce((sum, kill) => sum + kill.holds, 0)} holds, ${(holds / 1000).toFixed(1)} s at most`,
      faults: holds > HOLDS_LIMIT_MS ? [`${holds.toFixed(0)} ms`] : [],
    },
  ];
}
