import { renderTable } from "../../bench/table.ts";
import { saveFigures } from "../figures/figure-file.ts";
import type { FaultsPart } from "./part.ts";
import { toldFigures } from "./told-figures.ts";

/** Callers of two nodes who want more than there is. */
export const racesPart: FaultsPart = async ({ rounds }) => {
  console.log(`Races for credits on two nodes, ${rounds} rounds`);
  const { ok, seconds, told } = await toldFigures(["test/faults/races"], {
    BURSAR_TEST_ROUNDS: String(rounds),
  });
  const command = `npm run faults -- --only races --rounds ${rounds}`;
  return report({ name: "races", command, seed: null, ok, seconds, told });
};

/** The ledger's SQL against a reference, over simulated months. */
export const simulationPart: FaultsPart = async ({ seed, seeds }) => {
  console.log(`Simulation of the ledger, ${seeds} seeds from ${seed}`);
  const { ok, seconds, told } = await toldFigures(["test/simulation"], {
    BURSAR_TEST_SEED: String(seed),
    BURSAR_TEST_SEEDS: String(seeds),
  });
  const command = `npm run faults -- --only simulation --seeds ${seeds} --seed ${seed}`;
  return report({ name: "simulation", command, seed, ok, seconds, told });
};

function report(part: {
  readonly name: string;
  readonly command: string;
  readonly seed: number | null;
  readonly ok: boolean;
  readonly seconds: number;
  readonly told: Readonly<Record<string, number>>;
}): boolean {
  const { name, command, seed, ok } = part;
  const figures = { ...part.told, seconds: part.seconds, ok };
  const header = ["", "count"];
  const rows = [
    ...Object.entries({ ...part.told, seconds: part.seconds }).map(([what, count]) => [what, String(count)]),
    ["verdict", ok ? "all of it held" : "something did not hold"],
  ];
  console.log(`\n${renderTable(header, rows)}`);
  saveFigures({ name, command, seed, figures, tables: { counts: { header, rows } } });
  return ok;
}
