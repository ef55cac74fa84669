import type { RequestRow } from "../../../gateway/src/http/console/contract.ts";
import { Badge } from "../../parts/badge.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { reasonLabel, STATUSES } from "./words.ts";

export function StatusBadge({ status }: { status: RequestRow["status"] }) {
  const { label, look } = STATUSES[status];
  return (
    <Badge look={look}>
      {status === "processing" && <Icon name="loader-circle" className="spin" />}
      <span>{label}</span>
    </Badge>
  );
}

/** For the list: the state, and under it what went wrong. */
export function StateOf({ row }: { row: RequestRow }) {
  const label = reasonLabel(row);
  return (
    <span className="named">
      <StatusBadge status={row.status} />
      {label !== null && <span className="dim small">{label}</span>}
    </span>
  );
}
