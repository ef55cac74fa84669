import type { UsageReport } from "../../../gateway/src/http/console/contract.ts";
import { number, reportDay } from "../../parts/format.ts";

type Part = UsageReport["parts"][number];

/** The same data as the chart, to be read or copied; newest day first. */
export function DayTable({ report, partName }: { report: UsageReport; partName(part: Part): string }) {
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
