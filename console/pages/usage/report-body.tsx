import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import type { Split, UsageReport } from "../../../gateway/src/http/console/contract.ts";
import { Boundary, NotLoaded } from "../../parts/boundary.tsx";
import { counted } from "../../parts/format.ts";
import { loadLater } from "../../parts/load-later.tsx";
import { Empty, Skeleton } from "../../parts/states.tsx";
import { CHART_HEIGHT } from "./chart-height.ts";
import { DayTable } from "./day-table.tsx";
import { partColour } from "./part-colour.ts";
import { PartLegend } from "./part-legend.tsx";
import { endpointWords } from "./words.ts";

const DayChart = loadLater(
  () => import("./day-chart.tsx").then((m) => m.DayChart),
  <Skeleton height={CHART_HEIGHT} />,
);
// Beside the report that it shows.
DayChart.begin({ isProbed: false });

type ReportBodyProps = {
  readonly report: UsageReport;
  readonly split: Split;
  readonly look: "chart" | "table";
  readonly onChoose?: ((id: string) => void) | undefined;
  /** Shown if there is no usage. */
  readonly empty: ReactNode;
};

/** Credits by day, split in one way. */
export function ReportBody({ report, split, look, onChoose, empty }: ReportBodyProps) {
  const partName = split === "endpoint" ? endpointPartName : ownName;
  if (report.sums.requests === 0) {
    return (
      <div className="chart-empty">
        <Empty icon={<ChartColumn aria-hidden />} title="Nothing on these days">
          {empty}
        </Empty>
      </div>
    );
  }
  return (
    <div className="stack">
      {look === "chart" && report.days.length === 1 ? (
        <PartBar report={report} summary={summaryOf(report, partName)} />
      ) : look === "table" ? (
        <DayTable report={report} partName={partName} />
      ) : (
        <Boundary instead={(failure) => <NotLoaded what="The chart" {...failure} />}>
          <div className="chart" role="img" aria-label={summaryOf(report, partName)}>
            <DayChart days={report.days} parts={report.parts} partName={partName} />
          </div>
        </Boundary>
      )}
      <PartLegend report={report} partName={partName} onChoose={onChoose} />
    </div>
  );
}

/** A single day has no curve to draw, only shares. */
function PartBar({ report: { parts }, summary }: { report: UsageReport; summary: string }) {
  return (
    <div className="part-bar" role="img" aria-label={summary}>
      {parts.map((part, at) => (
        <i
          key={part.isRest ? "rest" : (part.id ?? "none")}
          style={{ flexGrow: part.credits, background: partColour(at, part.isRest) }}
        />
      ))}
    </div>
  );
}

type Part = UsageReport["parts"][number];

function ownName({ name }: Part): string {
  return name;
}

function endpointPartName({ id, name }: Part): string {
  return id === null ? name : endpointWords(id);
}

function summaryOf({ parts, days }: UsageReport, partName: (part: Part) => string): string {
  const most = parts.map((part) => `${partName(part)} ${part.credits}`).join(", ");
  return `Credits by day over ${counted(days.length, "day")}, as bars: ${most}. The table shows the figures of each day.`;
}
