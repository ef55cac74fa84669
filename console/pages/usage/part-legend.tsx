import type { UsageReport } from "../../../gateway/src/http/console/contract.ts";
import { counted, figure } from "../../parts/format.ts";
import { partColour } from "./part-colour.ts";

type Part = UsageReport["parts"][number];

type PartLegendProps = {
  readonly report: UsageReport;
  partName(part: Part): string;
  /** Shows one part alone; undefined if not offered. */
  readonly onChoose?: ((id: string) => void) | undefined;
};

export function PartLegend({ report: { parts, sums }, partName, onChoose }: PartLegendProps) {
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
