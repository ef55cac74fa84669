import { nameObjectsPlace, nameOfObjectsPlace } from "../../assets/index.ts";
import { type Catalog, catalogMark } from "../../catalog/index.ts";
import type { Config } from "../../config/index.ts";
import type { Database } from "../../db/index.ts";
import type { Clock } from "../../kit/index.ts";
import { createLeaseKeeper, findDifferences, type NodeMarks, nodeMarks } from "../../ledger/index.ts";
import type { Log, Metrics } from "../../telemetry/index.ts";
import { doIfPossible } from "./before-first-call.ts";

type Joining = {
  readonly config: Config;
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly catalog: Catalog;
};

/** Takes a lease and compares our settings with those of the nodes that serve. */
export async function joinNodes(base: Joining, secret: string, onLost: () => void) {
  const { config, db, log, metrics, clock, catalog } = base;
  nameObjectsPlace(config.objects);
  const objectsPlace = nameOfObjectsPlace(config.objects);
  const marks = nodeMarks({ secret, objectsPlace, catalogMark: catalogMark(catalog, config.limits) });
  const lease = await createLeaseKeeper({ db, log, clock, marks, onLost });
  const { processId } = lease.current;
  const nodes = createNodeComparison({ db, log, metrics, own: marks, processId });
  await doIfPossible(nodes.compare(), log, "nodes_not_compared");
  return { lease, nodes };
}

/**
 * Reported at the start and from then on: sessions or files that work, or prices that hold, only on every other call
 * are hard to diagnose. Only a warning, since the nodes that serve now may be about to be replaced.
 */
export function createNodeComparison(input: {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly own: NodeMarks;
  readonly processId: string;
}): { compare(): Promise<void> } {
  const gauge = input.metrics.gauge(
    "bursar_nodes_differ",
    "Settings in which this node differs from another that serves.",
  );
  let told: readonly string[] = [];
  return {
    async compare() {
      const differences = await findDifferences(input.db, input.own, input.processId);
      gauge.set(differences.length);
      for (const { event, found, repair } of differences) {
        if (!told.includes(found)) input.log.warn(event, { error: `${found}. ${repair}` });
      }
      told = differences.map(({ found }) => found);
    },
  };
}
