import { createLibrary, openObjectStore } from "../../gateway/src/assets/index.ts";
import type { Database } from "../../gateway/src/db/index.ts";
import { present, systemClock } from "../../gateway/src/kit/index.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { createUsage } from "../../gateway/src/usage/index.ts";
import { percentile } from "../table.ts";
import type { ScaleOrganization } from "./make-organizations.ts";

/** By name, for the organization with the most rows. */
export type ViewFigures = Readonly<Record<string, { readonly p50Ms: number; readonly p99Ms: number }>>;

const REPEATS = 100;
const FILTER = { days: 30 };

/** The database queries of the usage endpoint and the console's pages. */
export async function measureViews(
  db: Database,
  folder: string,
  { id }: ScaleOrganization,
): Promise<ViewFigures> {
  const usage = createUsage({
    db,
    clock: systemClock,
    typeOfModel: () => "text",
    lowBalance: { lowBalancePercent: 10, lowBalanceCredits: 1_000 },
  });
  const objects = openObjectStore({ kind: "files", folder: `${folder}/objects` });
  const library = createLibrary({ db, objects, secret: "bench", log: silentLog, databaseWaitMs: 30_000 });
  const organization = { id, plan: "pro" };
  const page = { filter: FILTER, status: null, isAscending: false, limit: 50, cursor: null } as const;
  const newest = await usage.requests(id, { ...page, sort: "time" });
  const requestId = present(newest.requests[0], "a request").requestId;
  return {
    "usage report, 30 days (`GET api-v1-usage`)": await timesOf(() =>
      usage.usageView(organization, { days: 30, limit: 50 }),
    ),
    "balance with its latest entries": await timesOf(() => usage.balanceView(organization, { limit: 50 })),
    "console: standing": await timesOf(() => usage.standing(id)),
    "console: usage by model, 30 days": await timesOf(() =>
      usage.report(id, { filter: FILTER, split: "model" }),
    ),
    "console: requests, newest first": await timesOf(() => usage.requests(id, { ...page, sort: "time" })),
    "console: requests, dearest first": await timesOf(() => usage.requests(id, { ...page, sort: "credits" })),
    "console: a receipt": await timesOf(() => usage.receipt(id, requestId)),
    "a page of the library": await timesOf(() => library.list(id, { limit: 20, cursor: null })),
  };
}

async function timesOf(work: () => Promise<unknown>): Promise<{ p50Ms: number; p99Ms: number }> {
  const times: number[] = [];
  for (let at = 0; at < REPEATS; at++) {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}
