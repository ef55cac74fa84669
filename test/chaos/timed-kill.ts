import { attempt } from "./client-attempt.ts";
import type { RunOrganization } from "./operator.ts";
import { probeOf } from "./probes.ts";
import type { Stage } from "./stage.ts";

export type TimedKill = {
  /** From the kill until the same node has answered a paid call. */
  readonly servesAfterMs: number;
  readonly holds: number;
  /**
   * From the end of the dead process's lease until none of its holds is left; negative if they were gone before that.
   */
  readonly holdsGoneAfterLeaseMs: number;
};

const CALLS = 12;
/** Delay before each chunk of the answers that are in progress when the node dies. */
const SLOW_MS = 400;
const LOOK_MS = 20;
const GIVE_UP_MS = 60_000;
const ATTEMPT_MS = 20_000;

/** Kills a node while calls run on it and nothing else goes wrong, and measures the recovery. */
export async function timeKill(stage: Stage, prober: RunOrganization, at: 0 | 1): Promise<TimedKill> {
  const node = stage.nodes[at];
  const { pid } = await node.whenUp();
  const caller = { origin: stage.straight[at], key: prober.key, secrets: [], limitMs: ATTEMPT_MS };
  const dying = Array.from({ length: CALLS }, () => attempt(probeOf("stream", SLOW_MS), caller, null));
  const processId = await ownerOf(stage, pid, CALLS);
  const killedMs = performance.now();
  await node.kill();
  const { expiresAtMs, holds } = await lastLease(stage, processId);
  const servesAfterMs = await untilServing(caller, killedMs);
  const goneAtMs = await untilGone(stage, processId);
  await Promise.all(dying);
  return { servesAfterMs, holds, holdsGoneAfterLeaseMs: goneAtMs - expiresAtMs };
}

/** The id of the process that owns the holds, once all calls are held. */
async function ownerOf(stage: Stage, pid: number, calls: number): Promise<string> {
  for (const endMs = performance.now() + GIVE_UP_MS; performance.now() < endMs; ) {
    const found = await stage.database.db.pool.query<{ process_id: string }>(
      `select h.process_id from holds h join processes p on p.process_id = h.process_id and p.epoch = h.epoch
       where p.pid = $1 group by 1 having count(*) >= $2`,
      [pid, calls],
    );
    if (found.rows[0]) return found.rows[0].process_id;
    await Bun.sleep(LOOK_MS);
  }
  throw new Error("the calls that were to die with their node were never held");
}

async function lastLease(
  stage: Stage,
  processId: string,
): Promise<{ readonly expiresAtMs: number; readonly holds: number }> {
  const found = await stage.database.db.pool.query<{ expires: number; holds: number }>(
    `select extract(epoch from expires_at)::float8 * 1000 as expires,
       (select count(*)::int from holds h where h.process_id = p.process_id) as holds
     from processes p where process_id = $1`,
    [processId],
  );
  return { expiresAtMs: found.rows[0]?.expires ?? Number.NaN, holds: found.rows[0]?.holds ?? 0 };
}

async function untilServing(caller: Parameters<typeof attempt>[1], killedMs: number): Promise<number> {
  while (performance.now() - killedMs < GIVE_UP_MS) {
    const seen = await attempt(probeOf("chat"), caller, null);
    if (seen.ended === "done") return performance.now() - killedMs;
    await Bun.sleep(LOOK_MS);
  }
  return Number.POSITIVE_INFINITY;
}

/** By the database's clock, on which leases are based. */
async function untilGone(stage: Stage, processId: string): Promise<number> {
  for (const endMs = performance.now() + GIVE_UP_MS; performance.now() < endMs; ) {
    const found = await stage.database.db.pool.query<{ now: number; holds: number }>(
      `select extract(epoch from bursar_now())::float8 * 1000 as now,
         (select count(*)::int from holds where process_id = $1) as holds`,
      [processId],
    );
    if (found.rows[0]?.holds === 0) return found.rows[0].now;
    await Bun.sleep(LOOK_MS);
  }
  return Number.POSITIVE_INFINITY;
}
