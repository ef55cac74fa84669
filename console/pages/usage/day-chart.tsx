import { memo } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  useChartWidth,
  XAxis,
  YAxis,
} from "recharts";
import type { UsageReport } from "../../../gateway/src/http/console/contract.ts";
import { number, reportDay, shortNumber } from "../../parts/format.ts";
import { CHART_HEIGHT } from "./chart-height.ts";
import { partColour } from "./part-colour.ts";

type Parts = UsageReport["parts"];
type Row = { readonly day: string; readonly values: readonly number[] };
const TICK = { fill: "var(--ink-3)", fontSize: 12 };
const CORNER = 3;
const SHORT_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

type DayChartProps = {
  readonly days: readonly string[];
  readonly parts: Parts;
  partName(part: Parts[number]): string;
};

/** Redrawn only if the data changed; the table beside it has the same for those who cannot see it. */
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
          margin={{ top: 8, right: 16, bottom: 0, left: 0 }}
          barCategoryGap="18%"
          maxBarSize={48}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <DayAxis days={days} />
          <YAxis
            tick={TICK}
            tickLine={false}
            axisLine={false}
            width={46}
            allowDecimals={false}
            tickFormatter={shortNumber}
          />
          <Tooltip
            cursor={{ fill: "var(--line)", fillOpacity: 0.6 }}
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
              shape={(props: ColumnProps) => <Piece {...props} at={at} />}
              {...(at === 0 ? { background: (props: ColumnProps) => <Column {...props} /> } : {})}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    );
  },
  (before, after) => before.days === after.days && before.parts === after.parts,
);

/** Its own component, since it depends on the chart's width, which the chart itself does not get. */
function DayAxis({ days }: { readonly days: readonly string[] }) {
  return (
    <XAxis
      dataKey="day"
      tick={(props: TickProps) => <DayTick {...props} />}
      tickLine={false}
      axisLine={{ stroke: "var(--line-strong)" }}
      interval={0}
      ticks={tickDays(days, useChartWidth() ?? 0)}
    />
  );
}

const MOST_TICKS = 8;
const TICK_ROOM_PX = 72;

/** As many as there is room for, evenly spaced, always including the last day. */
function tickDays(days: readonly string[], chartPx: number): string[] {
  const most = Math.min(MOST_TICKS, Math.max(1, Math.floor(chartPx / TICK_ROOM_PX)));
  const step = Math.ceil(days.length / most);
  return days.filter((_, at) => (days.length - 1 - at) % step === 0);
}

function isToday(date: string): boolean {
  return date === new Date().toISOString().slice(0, 10);
}

function dayWords(date: string): string {
  return isToday(date) ? "Today" : SHORT_DAY.format(new Date(date));
}

type TickProps = {
  readonly x: number | string;
  readonly y: number | string;
  readonly payload: { readonly value: string };
};

function DayTick({ x, y, payload: { value } }: TickProps) {
  return (
    <text x={x} y={y} dy={12} textAnchor="middle" className={isToday(value) ? "day-tick today" : "day-tick"}>
      {dayWords(value)}
    </text>
  );
}

type ColumnProps = {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly fill?: string;
  readonly payload?: Row;
};

const STUB = 3;

/** A day without spending still gets a stub; today is highlighted. */
function Column({ x = 0, y = 0, width = 0, height = 0, payload }: ColumnProps) {
  const isEmpty = payload?.values.every((value) => value === 0) ?? true;
  return (
    <>
      {isToday(payload?.day ?? "") && (
        <rect x={x - STUB} y={y} width={width + 2 * STUB} height={height} rx={CORNER} className="day-today" />
      )}
      {isEmpty && (
        <rect x={x} y={y + height - STUB} width={width} height={STUB} rx={1} className="day-stub" />
      )}
    </>
  );
}

/** Rounded only at the top of the stack. */
function Piece({ x = 0, y = 0, width = 0, height = 0, fill, payload, at }: ColumnProps & { at: number }) {
  if (height <= 0) return null;
  const isTop = payload?.values.slice(at + 1).every((value) => value === 0) ?? false;
  const corner = isTop ? Math.min(CORNER, width / 2, height) : 0;
  return (
    <path
      fill={fill}
      d={`M${x},${y + height}V${y + corner}q0,${-corner} ${corner},${-corner}h${width - 2 * corner}q${corner},0 ${corner},${corner}V${y + height}Z`}
    />
  );
}

type DayTipProps = { readonly row: Row; readonly parts: Parts; partName(part: Parts[number]): string };

function DayTip({ row, parts, partName }: DayTipProps) {
  const shown = parts
    .map((part, at) => ({ part, at, credits: row.values[at] ?? 0 }))
    .filter(({ credits }) => credits > 0);
  return (
    <div className="tip">
      <strong>{reportDay(row.day)} (UTC)</strong>
      {shown.length === 0 && <span className="dim">Nothing was spent.</span>}
      {shown.map(({ part, at, credits }) => (
        <span key={at} className="tip-row">
          <i className="swatch" style={{ background: partColour(at, part.isRest) }} />
          <span dir="auto" className="clip">
            {partName(part)}
          </span>
          <span className="number">{number(credits)}</span>
        </span>
      ))}
      {shown.length > 1 && (
        <span className="tip-row tip-sum">
          <span className="clip">Total</span>
          <span className="number">{number(row.values.reduce((sum, value) => sum + value, 0))}</span>
        </span>
      )}
    </div>
  );
}
