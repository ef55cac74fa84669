import type { ReactNode } from "react";
import type { Split, UsageReport } from "../../../gateway/src/http/console/contract.ts";
import { Boundary, NotLoaded } from "../../parts/boundary.tsx";
import { counted, figure, number, reportDay } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { loadLater } from "../../parts/load-later.tsx";
import { Empty, Skeleton } from "../../parts/states.tsx";
import { CHART_HEIGHT } from "./chart-height.ts";
import { partColour } from "./part-colour.ts";
import { cacheCredits } from "./saved-credits.ts";
import { endpointWords } from "./words.ts";

type Part = UsageReport["parts"][number];

/** The same data as the chart, to be read or copied; newest day first. */
function DayTable({ report, partName }: { report: UsageReport; partName(part: Part): string }) {
  const { days, parts } = report;
  return (
    <section className="table-scroll day-table" tabIndex={0} aria-label="Credits by day">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {parts.map((part) => (
              <th key={part.isRest ? "rest" : (part.id ?? "none")} scope="col" className="end">
                <span dir="auto" className="clip" title={partName(part)}>
                  {partName(part)}
                </span>
              </th>
            ))}
            <th scope="col" className="end">
              Credits
            </th>
          </tr>
        </thead>
        <tbody>
          {days
            .map((date, at) => ({ date, at }))
            .reverse()
            .map(({ date, at }) => (
              <tr key={date}>
                <th scope="row">{reportDay(date)}</th>
                {parts.map((part) => (
                  <td key={part.isRest ? "rest" : (part.id ?? "none")} className="end">
                    {number(part.creditsByDay[at] ?? 0)}
                  </td>
                ))}
                <td className="end">
                  {number(parts.reduce((sum, part) => sum + (part.creditsByDay[at] ?? 0), 0))}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

type PartLegendProps = {
  readonly report: UsageReport;
  partName(part: Part): string;
  /** Shows one part alone; undefined if not offered. */
  readonly onChoose?: ((id: string) => void) | undefined;
};

function PartLegend({ report: { parts, sums }, partName, onChoose }: PartLegendProps) {
  return (
    <ul className="legend">
      {parts.map((part, at) => {
        const { id, isRest } = part;
        const name = partName(part);
        return (
          <li key={isRest ? "rest" : (id ?? "none")}>
            <i className="swatch" style={{ background: partColour(at, isRest) }} />
            {onChoose && id !== null ? (
              <button
                dir="auto"
                type="button"
                className="link clip"
                onClick={() => onChoose(id)}
                title={`Only ${name}`}
              >
                {name}
              </button>
            ) : (
              <span dir="auto" className="clip" title={name}>
                {name}
              </span>
            )}
            <span className="dim number" title={counted(part.requests, "request")}>
              {figure(part.credits)} {part.credits === 1 ? "credit" : "credits"}
              {sums.credits > 0 && <span> · {share(part.credits, sums.credits)}</span>}
            </span>
            {part.cacheSaved !== undefined && part.cacheSaved !== 0 && (
              <small className="legend-caches dim">
                Caches: {cacheCredits(part.cacheSaved).toLowerCase()}
              </small>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function share(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 1 ? "under 1%" : `${Math.round(percent)}%`;
}

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
        <Empty icon={<Icon name="chart-column" />} title="Nothing on these days">
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
