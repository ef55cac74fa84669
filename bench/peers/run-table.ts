import type { FigureTable } from "../../scripts/figures/figure-file.ts";
import type { Comparison, Pace } from "./compare.ts";

/** What a reader must know to repeat a run. */
export function runTable(found: Omit<Comparison, "summary">, pace: Pace): FigureTable {
  const { portkeyVersion, portkeyServesStreams, nodeVersion, fdatasyncMs } = found;
  return {
    header: ["", "this run"],
    rows: [
      ["rounds", String(pace.rounds)],
      ["seconds of each, for each contender in each scenario", String(pace.roundSeconds)],
      ["@portkey-ai/gateway", portkeyVersion ?? "left out"],
      ["does it serve streams?", portkeyServesStreams ? "yes" : "no"],
      ["Node that runs it", nodeVersion ?? ""],
      ["fdatasync p50, ms", fdatasyncMs.toFixed(2)],
    ],
  };
}
