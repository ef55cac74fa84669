import { readdirSync } from "node:fs";
import { residentMegabytes } from "../../bench/process-cpu.ts";
import { type PlannedCall, planCall } from "./call-plan.ts";
import { attempt } from "./client-attempt.ts";
import type { RunOrganization } from "./operator.ts";
import { PICTURE, VIDEO } from "./run-models.ts";
import type { Stage } from "./stage.ts";

/** One call of each kind, besides what monitoring asks for. */
const KINDS = ["chat", "stream", "v1", "v1_stream", "image", "video"] as const;
const LIMIT_MS = 4_000;
/** Above every tag of a plan. */
const FIRST_TAG = 1_500_000;
let tags = FIRST_TAG;

/** What a node cannot do at the moment; empty if it serves everything. */
async function probeNode(origin: string, prober: RunOrganization): Promise<string[]> {
  const failed: string[] = [];
  const ready = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => null);
  if (ready?.status !== 200) failed.push(`readyz ${ready?.status ?? "lost"}`);
  for (const kind of KINDS) {
    const seen = await attempt(
      probeOf(kind),
      { origin, key: prober.key, secrets: [], limitMs: LIMIT_MS, isBrief: true },
      null,
    );
    if (seen.ended !== "done" && seen.ended !== "waits") failed.push(`${kind} ${seen.status ?? "lost"}`);
  }
  return failed;
}

export function probeOf(kind: PlannedCall["kind"], pauseMs = 0): PlannedCall {
  const tag = ++tags;
  return {
    ...planCall(0, tag, 1),
    ...{ kind, idempotencyKey: null, leave: null },
    isStream: kind === "stream" || kind === "v1_stream",
    model: kind === "image" ? PICTURE : kind === "video" ? VIDEO : "one",
    prompt: `tag=${tag} pieces=20 pause=${pauseMs} Tell me about it.`,
  };
}

/** How long it took until every probe succeeded on both nodes, and what still failed at the last try. */
export async function untilRecovered(
  stage: Stage,
  prober: RunOrganization,
  limitMs: number,
): Promise<{ readonly tookMs: number; readonly failed: readonly string[] }> {
  const startedMs = performance.now();
  for (;;) {
    const failed = (await Promise.all(stage.origins.map((origin) => probeNode(origin, prober)))).flat();
    const tookMs = performance.now() - startedMs;
    if (failed.length === 0 || tookMs > limitMs) return { tookMs, failed };
    await Bun.sleep(20);
  }
}

const AT_ONCE = 48;
const WARM_LIMIT_MS = 20_000;

/** Many calls at once, so that pools reach their full size before the footprint at rest is measured. */
export async function warmUp(stage: Stage, prober: RunOrganization): Promise<void> {
  const calls = stage.origins.flatMap((origin) =>
    Array.from({ length: AT_ONCE }, (_, at) =>
      attempt(
        probeOf(at % 2 === 0 ? "chat" : "image"),
        { origin, key: prober.key, secrets: [], limitMs: WARM_LIMIT_MS, isBrief: true },
        null,
      ),
    ),
  );
  await Promise.all(calls);
}

/** The resources of a node. */
export type Footprint = {
  readonly files: number;
  readonly megabytes: number;
  readonly connections: number;
};

/** The larger of both nodes; connections are all that our processes have to PostgreSQL. */
export async function footprintOf(stage: Stage): Promise<Footprint> {
  const pids = stage.nodes.flatMap(({ process }) => (process === null ? [] : [process.pid]));
  const counted = await stage.database.db.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where application_name = 'bursar'",
  );
  return {
    files: Math.max(...pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length)),
    megabytes: Math.max(...pids.map(residentMegabytes)),
    connections: counted.rows[0]?.count ?? 0,
  };
}
