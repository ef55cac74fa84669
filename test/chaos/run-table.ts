import type { FigureTable } from "../../scripts/figures/figure-file.ts";
import type { RunReport } from "./random-run.ts";

/** The report of a run: what went wrong, and what held nevertheless. */
export function runTables(report: RunReport): { readonly faults: FigureTable; readonly checks: FigureTable } {
  const { hazards, calls, attempts, restarts, seconds, recovery } = report;
  const rows: [string, number | string][] = [
    ["calls", calls],
    ["attempts, repeats included", attempts],
    ["gateways killed with SIGKILL", hazards.kill],
    ["gateways stopped for longer than their lease", hazards.stop],
    ["gateways told to end under load", hazards.terminate],
    ["starts of gateways", restarts],
    ["jumps of a gateway's clock", hazards.clock],
    ["immediate stops of PostgreSQL", hazards.database_stop],
    ["faults of a link to PostgreSQL", hazards.database_link],
    ["of these, connections cut, silenced or left half open", hazards.linkCuts],
    ["faults of a link to clients", hazards.client_link],
    ["faults of the link to the upstream", hazards.upstream_link],
    ["seconds", seconds],
    ["seconds from the last fault until every probe succeeds", (recovery.probesMs / 1000).toFixed(1)],
  ];
  return {
    faults: { header: ["", "count"], rows: rows.map(([name, value]) => [name, String(value)]) },
    checks: {
      header: ["what must hold", "looked at", "violations"],
      rows: report.checks.map(({ what, looked, faults }) => [what, looked, String(faults.length)]),
    },
  };
}
