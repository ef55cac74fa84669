import { startCaretaker } from "./caretaker.ts";
import type { Check } from "./check.ts";
import { type HazardCounts, type Hazards, startHazards } from "./hazards.ts";
import type { ReaderReport } from "./ledger-reader-process.ts";
import { foundAll, openOperator, type RunOperator, type RunOrganization } from "./operator.ts";
import { checkAssets } from "./oracle-assets.ts";
import { checkCalls } from "./oracle-calls.ts";
import { checkLedger } from "./oracle-ledger.ts";
import { checkSecrets } from "./oracle-secrets.ts";
import { type Payer, startPayer } from "./payer.ts";
import { type Footprint, footprintOf, untilRecovered, warmUp } from "./probes.ts";
import { type Recovery, recover } from "./recovery.ts";
import { startClients } from "./running-clients.ts";
import { startReader } from "./running-reader.ts";
import type { Scale } from "./scale.ts";
import { loadSettledCalls } from "./settled-rows.ts";
import { type Stage, setStage } from "./stage.ts";

/** The check of the run itself: on a busy machine, the calls may be over before every kind of hazard has happened. */
export const ENOUGH_WENT_WRONG = "enough went wrong to prove anything";

export type RunReport = {
  readonly seed: number;
  readonly seconds: number;
  readonly calls: number;
  readonly attempts: number;
  readonly hazards: HazardCounts;
  readonly restarts: number;
  readonly recovery: Recovery;
  readonly checks: readonly Check[];
  /** Null if all went well and nothing was kept. */
  readonly folder: string | null;
};

const START_LIMIT_MS = 60_000;

type Cast = {
  readonly stage: Stage;
  readonly operator: RunOperator;
  readonly organizations: readonly RunOrganization[];
  readonly prober: RunOrganization;
  readonly baseline: Footprint;
};

/** Runs the calls and faults of one seed, from an empty database to the verdict. */
export async function runAtRandom(input: {
  seed: number;
  scale: Scale;
  say?: (line: string) => void;
}): Promise<RunReport> {
  const startedMs = performance.now();
  const stage = await setStage();
  let checks: readonly Check[] | null = null;
  try {
    const operator = await openOperator(stage);
    const report = await play({ ...input, stage, operator, startedMs });
    checks = report.checks;
    await operator.close();
    return report;
  } finally {
    await stage.close(checks === null || checks.some(({ faults }) => faults.length > 0));
  }
}

type Play = {
  readonly seed: number;
  readonly scale: Scale;
  readonly say?: (line: string) => void;
  readonly stage: Stage;
  readonly operator: RunOperator;
  readonly startedMs: number;
};

async function play(input: Play): Promise<RunReport> {
  const { seed, scale, stage, operator } = input;
  const cast = await castOf(input);
  const reader = startReader({ url: stage.database.db.url, logPath: stage.logs.ledger });
  const poor = cast.organizations.slice(-Math.floor(scale.organizations / 3));
  const payer = startPayer({ stage, operator, seed, poor });
  const orgIds = cast.organizations.map(({ id }) => id);
  const caretaker = startCaretaker(stage.database.db);
  const hazards = startHazards({ stage, seed, scale, orgIds });
  const clients = startClients(input, cast.organizations);
  await clients.allStarted;
  await Promise.all([hazards.stop(), payer.stop(), caretaker.stop()]);
  const recovery = await recover({ ...cast, scale, clients });
  const report = await reader.stop();
  const codes = [...hazards.exitCodes, ...(await Promise.all(stage.nodes.map((node) => node.close())))];
  const checks = await judge(input, cast, { hazards, recovery, codes, reader: report, payer });
  return {
    seed,
    seconds: Math.round((performance.now() - input.startedMs) / 1000),
    calls: clients.report.ended,
    attempts: clients.report.attempts,
    hazards: hazards.counts,
    restarts: stage.nodes.reduce((sum, node) => sum + node.counts.starts, 0),
    recovery,
    checks,
    folder: checks.some(({ faults }) => faults.length > 0) ? stage.folder : null,
  };
}

async function castOf({ stage, operator, seed, scale }: Play): Promise<Cast> {
  const organizations = await foundAll(operator, seed, scale.organizations);
  const prober = await operator.found("enterprise", 1_000_000);
  const { failed } = await untilRecovered(stage, prober, START_LIMIT_MS);
  await warmUp(stage, prober);
  if (failed.length > 0) throw new Error(`nothing has gone wrong yet, and still: ${failed.join(", ")}`);
  return { stage, operator, organizations, prober, baseline: await footprintOf(stage) };
}

async function judge(
  { seed, scale, stage, operator }: Play,
  { organizations }: Cast,
  seen: {
    readonly hazards: Hazards;
    readonly recovery: Recovery;
    readonly codes: readonly (number | null)[];
    readonly reader: ReaderReport;
    readonly payer: Payer;
  },
): Promise<readonly Check[]> {
  const { db } = stage.database;
  // The database was stopped too often to analyze its own tables; without statistics it chooses the worst plans.
  await db.pool.query("analyze");
  const settled = await loadSettledCalls(
    db,
    organizations.map(({ id }) => id),
  );
  return [
    ...checkCalls({
      ...{ seed, calls: scale.calls, organizations: scale.organizations, settled },
      ...{ clientsLog: stage.logs.clients, upstreamLog: stage.logs.upstream },
    }),
    ...(await checkLedger({ db, ledgerLog: stage.logs.ledger, reader: seen.reader, paid: seen.payer.paid })),
    ...(await checkAssets(stage, operator)),
    await checkSecrets(stage),
    ...seen.recovery.checks,
    checkNodes(stage, seen.codes),
    checkEnough(seen.hazards.counts, scale),
  ];
}

function checkNodes(stage: Stage, codes: readonly (number | null)[]): Check {
  const crashes = stage.nodes.flatMap(({ counts }, at) =>
    counts.crashes === 0 ? [] : [`node ${at} ended ${counts.crashes} times by itself`],
  );
  const wrong = codes.filter((code) => code !== 0).map((code) => `told to end, a node ended with ${code}`);
  return {
    what: "nodes end when they are told to, and only then",
    looked: `${codes.length} ends`,
    faults: [...crashes, ...wrong],
  };
}

function checkEnough({ kill, database_stop, linkCuts }: HazardCounts, { least }: Scale): Check {
  const counted = [
    ["kills", kill, least.kills],
    ["database stops", database_stop, least.databaseStops],
    ["link cuts", linkCuts, least.linkCuts],
  ] as const;
  return {
    what: ENOUGH_WENT_WRONG,
    looked: counted.map(([name, count]) => `${count} ${name}`).join(", "),
    faults: counted
      .filter(([, count, wanted]) => count < wanted)
      .map(([name, , wanted]) => `fewer than ${wanted} ${name}`),
  };
}
