import { assert, present } from "../../gateway/src/kit/index.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { type BenchDatabase, openBenchDatabase } from "../bench-database.ts";
import { type CallTally, call, forSeconds } from "./callers.ts";
import { watchBooks } from "./exact-books.ts";
import { proveLimits, type Refusals } from "./exact-limits.ts";
import { makeOrganizations, type ScaleOrganization, STARTING_CREDITS } from "./make-organizations.ts";
import { type LoadFigures, measureLoad } from "./measured-load.ts";
import { type ScaleUpstream, startScaleGateway, startUpstream } from "./scale-gateway.ts";
import { requireSpent } from "./spent.ts";

export type ProcessFigures = LoadFigures &
  Refusals & { readonly processes: number; readonly booksLookedAt: number };

const PROCESSES = [1, 2, 4];
const CONNECTIONS = 64;
const ORGANIZATIONS = 16;
const WARM_UP_CALLS = 4_000;
const MOST_WARM_UP_SECONDS = 60;

/** One, two and four processes on one PostgreSQL: their throughput, and whether a limit or a balance is ever off. */
export async function measureProcesses(seconds: number): Promise<ProcessFigures[]> {
  const bench = await openBenchDatabase();
  const upstream = await startUpstream();
  try {
    const figures: ProcessFigures[] = [];
    for (const processes of PROCESSES) {
      figures.push(await measure({ bench, upstream, processes, seconds }));
    }
    const report = await verifyLedger(bench.db);
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
  processes: number;
  seconds: number;
}): Promise<ProcessFigures> {
  const { bench, upstream, processes, seconds } = input;
  const { db, folder } = bench;
  const organizations = await makeOrganizations(db, ORGANIZATIONS);
  const gateway = await startScaleGateway({ folder, upstreamPort: upstream.port, workers: processes });
  const books = watchBooks(
    db,
    organizations.map(({ id }) => id),
  );
  try {
    const orders = { origin: gateway.origin, connections: CONNECTIONS, caller: inTurn(organizations) };
    // By calls per process, not by time: otherwise pending compilation would count as the cost of a call.
    const inTime = forSeconds(MOST_WARM_UP_SECONDS);
    const warmUp = await call({ ...orders, goesOn: (at) => at < processes * WARM_UP_CALLS && inTime() });
    const { figures, tally } = await measureLoad({
      ...orders,
      gateway,
      db,
      folder,
      goesOn: forSeconds(seconds),
    });
    const refused = await proveLimits({ db, upstream, origin: gateway.origin });
    const wrong = await books.stop();
    assert(wrong.length === 0, `the books of ${wrong.length} organizations were wrong: ${wrong[0]}`);
    requireNoRefusal(tally);
    await requireSpent(db, organizations, [warmUp, tally], STARTING_CREDITS);
    return {
      processes,
      ...figures,
      booksLookedAt: books.looks(),
      ...refused,
    };
  } finally {
    await books.stop();
    await gateway.stop();
  }
}

export function inTurn(organizations: readonly ScaleOrganization[]): (at: number) => ScaleOrganization {
  return (at) => present(organizations[at % organizations.length], "an organization");
}

/** No limit was reached, so no call may have been refused. */
function requireNoRefusal({ byStatus }: CallTally): void {
  assert(byStatus.size === 1, `calls within every limit were refused: ${JSON.stringify([...byStatus])}`);
}
