import type { FigureTable } from "../../scripts/figures/figure-file.ts";
import { LOAD_HEADER, loadCells } from "./measured-load.ts";
import type { OrganizationFigures } from "./organizations.ts";
import type { ProcessFigures } from "./processes.ts";
import type { RowFigures } from "./rows.ts";

const count = (value: number) => value.toLocaleString("en");
const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(2);

export function processTables(figures: readonly ProcessFigures[]): Record<string, FigureTable> {
  return {
    load: {
      header: ["processes", ...LOAD_HEADER],
      rows: figures.map((one) => [String(one.processes), ...loadCells(one)]),
    },
    limits: {
      header: [
        "processes",
        "refused by rate",
        "refused for credits",
        "refused in flight",
        "looks at the books",
        "limits or balances off",
      ],
      rows: figures.map((one) => [
        String(one.processes),
        count(one.refusedByRate),
        count(one.refusedForCredits),
        count(one.refusedInFlight),
        count(one.booksLookedAt),
        // A single one would have ended the run.
        "0",
      ]),
    },
  };
}

export function organizationTables(figures: readonly OrganizationFigures[]): Record<string, FigureTable> {
  return {
    organizations: {
      header: ["organizations", ...LOAD_HEADER],
      rows: figures.flatMap((one) => [
        [`${count(one.organizations)}, first calls`, ...loadCells(one.first)],
        [`${count(one.organizations)}, the same again`, ...loadCells(one.again)],
      ]),
    },
  };
}

/** `few` is the same with almost nothing on disk. */
export function rowTables(few: RowFigures, many: RowFigures): Record<string, FigureTable> {
  const both = [few, many];
  return {
    calls: {
      header: ["entries and requests on disk", ...LOAD_HEADER],
      rows: both.map((one) => [count(one.rows), ...loadCells(one.load)]),
    },
    views: {
      header: ["p50 / p99 in ms, the largest organization", ...both.map((one) => count(one.rows))],
      rows: Object.keys(many.views).map((name) => [
        name,
        ...both.map(({ views }) => `${views[name]?.p50Ms.toFixed(1)} / ${views[name]?.p99Ms.toFixed(1)}`),
      ]),
    },
    disk: {
      header: ["table", "rows", "GB", "GB of indexes", "bytes per row", "updates within the page"],
      rows: [
        ...many.tables.map((one) => [
          one.table,
          count(one.rows),
          gigabytes(one.tableBytes),
          gigabytes(one.indexBytes),
          one.rows === 0 ? "" : ((one.tableBytes + one.indexBytes) / one.rows).toFixed(0),
          one.hotUpdates === null ? "" : `${(one.hotUpdates * 100).toFixed(0)} %`,
        ]),
        ["the whole database", "", gigabytes(many.databaseBytes), "", "", ""],
      ],
    },
    upkeep: {
      header: ["", ...both.map((one) => count(one.rows))],
      rows: [
        ["`bursar ledger verify`, s", ...both.map(({ verify }) => verify.seconds.toFixed(1))],
        ["entries replayed by it", ...both.map(({ verify }) => count(verify.entries))],
        [
          "`--since-checkpoint`, nothing new, s",
          ...both.map((one) => one.verify.sinceCheckpointSeconds.toFixed(1)),
        ],
        [
          "one changed row of the largest organization found, s",
          ...both.map((one) => one.verify.forgedSeconds.toFixed(1)),
        ],
        ["`bursar backup`, s", ...both.map(({ backup }) => backup.seconds.toFixed(1))],
        ["its size, GB", ...both.map(({ backup }) => gigabytes(backup.bytes))],
        ["vacuum and analyze of all tables, s", ...both.map((one) => one.vacuumSeconds.toFixed(1))],
        [
          "tables read from end to end meanwhile",
          ...both.map(({ scans }) => scans.map((one) => `${one.table} (${one.scans})`).join(", ") || "none"),
        ],
      ],
    },
  };
}
