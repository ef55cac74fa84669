import { Download, ListFilter } from "lucide-react";
import { useState } from "react";
import { useSearch } from "wouter";
import type { RequestFilter } from "../../../src/http/console/contract.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Answer, Empty, Notice, Skeleton } from "../../parts/states.tsx";
import { RequestTable } from "./request-table.tsx";
import type { View } from "./use-filter.ts";
import { STATUSES } from "./words.ts";

const EVERY_MS = 15_000;
const PAGE_ROWS = 25;
const WAITING_HEIGHT = 1_500;

export type RequestsCardProps = { readonly view: View; onChange(change: Partial<View>): void };

export function RequestsCard({ view, onChange }: RequestsCardProps) {
  const { split: _, ...filter } = view;
  return (
    <Card
      isFlush
      title="Requests"
      actions={
        <>
          <select
            className="input compact"
            aria-label="State"
            value={view.status ?? ""}
            onChange={(event) =>
              onChange({ status: (event.target.value || undefined) as RequestFilter["status"] })
            }
          >
            <option value="">Every state</option>
            {Object.entries(STATUSES).map(([status, { label }]) => (
              <option key={status} value={status}>
                {label}
              </option>
            ))}
          </select>
          <a
            className="button secondary"
            href={`/console/api/usage.csv?input=${encodeURIComponent(JSON.stringify(filter))}`}
            download
            title="The newest 100,000 of them at most"
          >
            <Download aria-hidden />
            Export CSV
          </a>
        </>
      }
    >
      {/* Another filter begins with its first page. */}
      <Pages key={JSON.stringify(filter)} filter={filter} onChange={onChange} />
    </Card>
  );
}

/** Where each page that was opened begins; the first one has no cursor. */
function Pages({ filter, onChange }: { filter: RequestFilter } & Pick<RequestsCardProps, "onChange">) {
  const search = useSearch();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = useAsk(
    "requests",
    { ...filter, cursor, limit: PAGE_ROWS },
    { keepsOld: true, ...(cursor === undefined ? { everyMs: EVERY_MS } : {}) },
  );
  const { sort = "time", order = "down" } = filter;
  return (
    <Answer
      of={page}
      waiting={
        <div className="card-body">
          <Skeleton height={WAITING_HEIGHT} />
        </div>
      }
    >
      {({ rows, nextCursor, isCut }) => (
        <div
          aria-busy={page.isPlaceholderData || undefined}
          className={page.isPlaceholderData ? "stale" : ""}
        >
          {rows.length === 0 ? (
            <Empty icon={<ListFilter aria-hidden />} title={isCut ? "None so far" : "No requests"}>
              <p>
                {isCut
                  ? "None of those that were looked at match. Look further back, or filter less."
                  : "Nothing in these days matches."}
              </p>
            </Empty>
          ) : (
            <RequestTable
              rows={rows}
              search={search ? `?${search}` : ""}
              sorting={{
                sort,
                order,
                onSort: (nextSort, nextOrder) => onChange({ sort: nextSort, order: nextOrder }),
              }}
            />
          )}
          {isCut && sort !== "time" && (
            <div className="card-body">
              <Notice>
                Only the newest 5,000 that match are sorted. Choose fewer days or filter to see others.
              </Notice>
            </div>
          )}
          {(cursors.length > 0 || nextCursor !== null) && (
            <nav className="pager" aria-label="Pages of requests">
              <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                Previous
              </Button>
              <span className="dim small">Page {cursors.length + 1}</span>
              <Button
                disabled={nextCursor === null || page.isPlaceholderData}
                onClick={() => nextCursor !== null && setCursors([...cursors, nextCursor])}
              >
                {rows.length === 0 ? "Look further" : "Next"}
              </Button>
            </nav>
          )}
        </div>
      )}
    </Answer>
  );
}
