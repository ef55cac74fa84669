import { memo } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { UsageReport } from "../../../src/http/console/contract.ts";
import { day, number, shortNumber } from "../../parts/format.ts";
import { CHART_HEIGHT } from "./chart-height.ts";
import { partColour } from "./part-colour.ts";

type Parts = UsageReport["parts"];
type Row = { readonly day: string; readonly values: readonly number[] };
const TICK = { fill: "var(--ink-3)", fontSize: 12 };
const SHORT_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

export type DayChartProps = {
  readonly days: readonly string[];
  readonly parts: Parts;
  partName(part: Parts[number]): string;
};

/** Drawn anew only when there is something new; the table beside it says the same to who cannot see it. */
export const DayChart = memo(
  function DayChart({ days, parts, partName }: DayChartProps) {
    const rows = days.map(
      (date, at): Row => ({
        day: date,
        values: parts.map(({ creditsByDay }) => creditsByDay[at] ?? 0),
      }),
    );
    return (
      <ResponsiveContainer
        width="100%"
        height={CHART_HEIGHT}
        initialDimension={{ width: 640, height: CHART_HEIGHT }}
      >
        <BarChart
          data={rows}
          accessibilityLayer={false}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="18%"
          maxBarSize={48}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="day"
            tick={TICK}
            tickLine={false}
            axisLine={{ stroke: "var(--line-strong)" }}
            minTickGap={24}
            tickFormatter={(date: string) => SHORT_DAY.format(new Date(date))}
          />
          <YAxis
            tick={TICK}
            tickLine={false}
            axisLine={false}
            width={46}
            allowDecimals={false}
            tickFormatter={shortNumber}
          />
          <Tooltip
            cursor={{ fill: "var(--surface-2)" }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const row = payload?.[0]?.payload as Row | undefined;
              return active && row ? <DayTip row={row} parts={parts} partName={partName} /> : null;
            }}
          />
          {parts.map((part, at) => (
            <Bar
              key={part.isRest ? "rest" : (part.id ?? "none")}
              name={part.name}
              dataKey={(row: Row) => row.values[at] ?? 0}
              stackId="credits"
              fill={partColour(at, part.isRest)}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    );
  },
  (before, after) => before.days === after.days && before.parts === after.parts,
);

type DayTipProps = { readonly row: Row; readonly parts: Parts; partName(part: Parts[number]): string };

function DayTip({ row, parts, partName }: DayTipProps) {
  const shown = parts
    .map((part, at) => ({ part, at, credits: row.values[at] ?? 0 }))
    .filter(({ credits }) => credits > 0);
  return (
    <div className="tip">
      <strong>{day(row.day)}</strong>
      {shown.length === 0 && <span className="dim">Nothing was spent.</span>}
      {shown.map(({ part, at, credits }) => (
        <span key={at} className="tip-row">
          <i className="swatch" style={{ background: partColour(at, part.isRest) }} />
          <span className="clip">{partName(part)}</span>
          <span className="number">{number(credits)}</span>
        </span>
      ))}
      {shown.length > 1 && (
        <span className="tip-row tip-sum">
          <span className="clip">Together</span>
          <span className="number">{number(row.values.reduce((sum, value) => sum + value, 0))}</span>
        </span>
      )}
    </div>
  );
}
