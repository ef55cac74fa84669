import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderTable } from "../../bench/table.ts";
import { saveWholeRun } from "../figures/whole-run.ts";
import type { FaultsPart } from "./part.ts";
import { runTested } from "./tested-part.ts";

/** Runs tests that count what they do (`test/report-figures.ts`), and returns their counts. */
async function reportedFigures(
  paths: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{
  readonly ok: boolean;
  readonly seconds: number;
  readonly reported: Readonly<Record<string, number>>;
}> {
  const folder = mkdtempSync(join(tmpdir(), "bursar-told-"));
  const path = join(folder, "figures.json");
  try {
    const { ok, seconds } = await runTested(paths, { ...environment, BURSAR_TEST_FIGURES: path });
    const reported = ok ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, number>) : {};
    return { ok, seconds, reported };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The size of the runs shown in the documents. */
const WHOLE = { rounds: 10_000, seeds: 10_000 };

/** Callers on two nodes that want more credits than there are. */
export const racesPart: FaultsPart = async ({ rounds }) => {
  console.log(`Races for credits on two nodes, ${rounds} rounds`);
  const { ok, seconds, reported } = await reportedFigures(["test/faults/races"], {
    BURSAR_TEST_ROUNDS: String(rounds),
  });
  const command = `npm run faults -- --only races --rounds ${rounds}`;
  const isWhole = rounds >= WHOLE.rounds;
  return report({ name: "races", command, seed: null, isWhole, ok, seconds, reported });
};

/** The ledger's SQL against a reference, over simulated months. */
export const simulationPart: FaultsPart = async ({ seed, seeds }) => {
  console.log(`Simulation of the ledger, ${seeds} seeds from ${seed}`);
  const { ok, seconds, reported } = await reportedFigures(["test/simulation"], {
    BURSAR_TEST_SEED: String(seed),
    BURSAR_TEST_SEEDS: String(seeds),
  });
  const command = `npm run faults -- --only simulation --seeds ${seeds} --seed ${seed}`;
  const isWhole = seeds >= WHOLE.seeds;
  return report({ name: "simulation", command, seed, isWhole, ok, seconds, reported });
};

function report(part: {
  readonly name: string;
  readonly command: string;
  readonly seed: number | null;
  readonly isWhole: boolean;
  readonly ok: boolean;
  readonly seconds: number;
  readonly reported: Readonly<Record<string, number>>;
}): boolean {
  const { name, command, seed, isWhole, ok } = part;
  const figures = { ...part.reported, seconds: part.seconds, ok };
  const header = ["", "count"];
  const rows = [
    ...Object.entries({ ...part.reported, seconds: part.seconds }).map(([what, count]) => [
      what,
      String(count),
    ]),
    ["verdict", ok ? "all of it held" : "something did not hold"],
  ];
  console.log(`\n${renderTable(header, rows)}`);
  const tables = { counts: { header, rows } };
  saveWholeRun({ name, command, seed, figures, tables }, { isWhole, hasHeld: ok });
  return ok;
}
