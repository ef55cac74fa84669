import { writeFileSync } from "node:fs";
import { findPostmaster } from "../../gateway/src/db/embedded/lock-file.ts";
import type { FaultProxy } from "../faults/fault-proxy.ts";
import { HAZARD_KINDS, type HazardKind } from "./hazard-kind.ts";
import { type Hazard, isCut, planHazards } from "./hazard-plan.ts";
import type { Scale } from "./scale.ts";
import type { Stage } from "./stage.ts";

export type HazardCounts = Record<HazardKind, number> & { linkCuts: number };

export type Hazards = {
  readonly counts: HazardCounts;
  /** Exit codes of nodes that were asked to terminate; only 0 is right. */
  readonly exitCodes: readonly (number | null)[];
  /** Starts no new hazards; resolves when those in progress are over and everything is repaired. */
  stop(): Promise<void>;
};

type Running = {
  readonly stage: Stage;
  readonly orgIds: readonly string[];
  /** Cut short when the hazards are stopped. */
  pause(ms: number): Promise<void>;
  readonly exitCodes: (number | null)[];
  /** Actions on a node's process run one at a time. */
  alone(node: 0 | 1, work: () => Promise<void>): Promise<void>;
};

/** Each kind follows its own schedule, so that hazards coincide in every order. */
export function startHazards(input: {
  stage: Stage;
  seed: number;
  scale: Scale;
  orgIds: readonly string[];
}): Hazards {
  const counts = Object.fromEntries([...HAZARD_KINDS, "linkCuts"].map((kind) => [kind, 0])) as HazardCounts;
  const over = Promise.withResolvers<void>();
  let isOver = false;
  const turns: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
  const running: Running = {
    stage: input.stage,
    orgIds: input.orgIds,
    exitCodes: [],
    async pause(ms) {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, ms);
      await Promise.race([limit.promise, over.promise]);
      clearTimeout(timer);
    },
    alone(node, work) {
      turns[node] = turns[node].then(work);
      return turns[node];
    },
  };

  async function goThrough(kind: HazardKind): Promise<void> {
    for (const { afterMs, hazard } of planHazards(kind, input.seed, input.scale)) {
      await running.pause(afterMs);
      if (isOver) return;
      await happen(running, hazard);
      counts[kind]++;
      if (isCut(hazard)) counts.linkCuts++;
    }
  }
  const all = Promise.all(HAZARD_KINDS.map(goThrough));

  return {
    counts,
    exitCodes: running.exitCodes,
    async stop() {
      isOver = true;
      over.resolve();
      await all;
      const { client, database, upstream } = input.stage.links;
      for (const link of [...client, ...database, upstream]) {
        // The last fault: connections that lead nowhere would otherwise be noticed only by the timeout of whoever waits
        // on them.
        link.set({ kind: "reset" });
        link.set({ kind: "pass" });
      }
      // Stripe repeats a report until it is accepted, and a gateway with a wrong clock accepts none: the operator
      // resets it.
      await Promise.all(([0, 1] as const).map((node) => happen(running, { kind: "clock", node, byMs: 0 })));
    },
  };
}

async function happen(running: Running, hazard: Hazard): Promise<void> {
  const { nodes, links, clocks, cluster } = running.stage;
  switch (hazard.kind) {
    case "kill":
      return running.alone(hazard.node, async () => {
        await nodes[hazard.node].whenUp();
        await nodes[hazard.node].kill();
      });
    case "terminate":
      return running.alone(hazard.node, async () => {
        await nodes[hazard.node].whenUp();
        running.exitCodes.push(await nodes[hazard.node].terminate());
      });
    case "stop":
      return running.alone(hazard.node, async () => {
        const node = await nodes[hazard.node].whenUp();
        node.signal("SIGSTOP");
        await running.pause(hazard.forMs);
        node.signal("SIGCONT");
      });
    case "clock":
      writeFileSync(clocks[hazard.node], String(hazard.byMs));
      // Serialized, because a process that is still starting has no handler for the signal yet and would be ended by
      // it.
      return running.alone(hazard.node, async () => {
        (await nodes[hazard.node].whenUp()).signal("SIGUSR2");
      });
    case "database_stop":
      return stopDatabase(cluster);
    case "database_link":
      if ("loseAnswerOf" in hazard)
        return loseAnswer(running, links.database[hazard.node], hazard.loseAnswerOf);
      return fail(running, links.database[hazard.node], hazard);
    case "client_link":
      return fail(running, links.client[hazard.node], hazard);
    case "upstream_link":
      return fail(running, links.upstream, hazard);
  }
}

async function fail(
  running: Running,
  link: FaultProxy,
  hazard: Extract<Hazard, { forMs: number; fault: unknown }>,
): Promise<void> {
  link.set(hazard.fault);
  await running.pause(hazard.forMs);
  link.set({ kind: "pass" });
}

/** Long enough for the organization's next call; if none comes, the next trap replaces this one. */
const TRAP_MS = 2_000;

async function loseAnswer(running: Running, link: FaultProxy, organization: number): Promise<void> {
  await Promise.race([link.cutAnswerTo(running.orgIds[organization] ?? ""), running.pause(TRAP_MS)]);
}

/**
 * Like `pg_ctl stop -m immediate`: no checkpoint, no goodbye. The nodes that use the embedded server start it again.
 */
async function stopDatabase(cluster: string): Promise<void> {
  const postmaster = findPostmaster(cluster);
  if (postmaster === undefined) return;
  process.kill(postmaster.pid, "SIGQUIT");
  while (findPostmaster(cluster)?.pid === postmaster.pid) await Bun.sleep(10);
}
