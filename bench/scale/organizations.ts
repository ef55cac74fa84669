import { assert, present } from "../../gateway/src/kit/index.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { type BenchDatabase, openBenchDatabase } from "../bench-database.ts";
import { makeOrganizations, type ScaleOrganization } from "./make-organizations.ts";
import { type LoadFigures, measureLoad } from "./measured-load.ts";
import { inTurn } from "./processes.ts";
import { type ScaleUpstream, startScaleGateway, startUpstream } from "./scale-gateway.ts";

export type OrganizationFigures = {
  readonly organizations: number;
  /** By a process that has seen none of them, each call by another one as long as there are others. */
  readonly first: LoadFigures;
  /** The same calls once more. */
  readonly again: LoadFigures;
};

const COUNTS = [1, 10_000, 100_000];
const CONNECTIONS = 64;
/** A prime, so that consecutive calls come from all over the table. */
const STRIDE = 7_919;
const WARM_UP_CALLS = 4_000;

/** What a call costs as organizations become many, each with its own key. */
export async function measureOrganizations(calls: number): Promise<OrganizationFigures[]> {
  const bench = await openBenchDatabase();
  const upstream = await startUpstream();
  try {
    const warmUp = await makeOrganizations(bench.db, 1);
    const figures: OrganizationFigures[] = [];
    for (const count of COUNTS) {
      const organizations = await makeOrganizations(bench.db, count);
      await bench.db.pool.query("analyze");
      figures.push(await measure({ bench, upstream, organizations, warmUp, calls }));
    }
    const report = await verifyLedger(bench.db, { atOnce: 2 });
    assert(report.faults.length === 0, `the ledger has ${report.faults.length} faults`);
    return figures;
  } finally {
    await upstream.stop();
    await bench.close();
  }
}

async function measure(input: {
  bench: BenchDatabase;
  upstream: ScaleUpstream;
  organizations: readonly ScaleOrganization[];
  warmUp: readonly ScaleOrganization[];
  calls: number;
}): Promise<OrganizationFigures> {
  const { organizations, calls } = input;
  const { db, folder } = input.bench;
  const gateway = await startScaleGateway({ folder, upstreamPort: input.upstream.port, workers: 1 });
  try {
    const load = { gateway, db, folder, connections: CONNECTIONS };
    await measureLoad({ ...load, caller: inTurn(input.warmUp), goesOn: (at) => at < WARM_UP_CALLS });
    const caller = (at: number) =>
      present(organizations[(at * STRIDE) % organizations.length], "an organization");
    const round = () => measureLoad({ ...load, caller, goesOn: (at) => at < calls });
    const first = await round();
    const again = await round();
    for (const { tally } of [first, again]) assert(tally.byStatus.size === 1, "a call was refused");
    return { organizations: organizations.length, first: first.figures, again: again.figures };
  } finally {
    await gateway.stop();
  }
}
