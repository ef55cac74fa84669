import { LoaderCircle } from "lucide-react";
import type { CSSProperties } from "react";
import { Link } from "wouter";
import type { RequestRow } from "../../../gateway/src/http/console/contract.ts";
import { Elapsed } from "../../parts/elapsed.tsx";

const SHAPE = { "--shape": 16 / 9 } as CSSProperties;

/** Placeholder for a video that is being made. */
export function RunningTile({ row }: { row: RequestRow }) {
  return (
    <li className="card tile" style={SHAPE}>
      <div className="tile-media tile-running">
        <LoaderCircle className="spin" aria-hidden />
        <Elapsed since={row.createdAt} />
      </div>
      <div className="tile-words">
        <Link href={`/usage/${row.requestId}`} className="tile-open">
          A video is being made
        </Link>
        <span className="dim small">{row.memberName ?? row.model}</span>
      </div>
    </li>
  );
}
