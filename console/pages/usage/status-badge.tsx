import { LoaderCircle } from "lucide-react";
import type { RequestRow } from "../../../src/http/console/contract.ts";
import { Badge } from "../../parts/badge.tsx";
import { STATUSES } from "./words.ts";

export function StatusBadge({ status }: { status: RequestRow["status"] }) {
  const { label, look } = STATUSES[status];
  return (
    <Badge look={look}>
      {status === "processing" && <LoaderCircle className="spin" aria-hidden />}
      <span>{label}</span>
    </Badge>
  );
}
