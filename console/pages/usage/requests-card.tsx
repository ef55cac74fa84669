import { useMutation } from "@tanstack/react-query";
import { useSearch } from "wouter";
import type { RequestFilter, RequestRow } from "../../../gateway/src/http/console/contract.ts";
import type { AskError } from "../../api/ask.ts";
import { saveFile } from "../../api/save-file.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Pager, useFirstPageAfter, usePages } from "../../parts/pager.tsx";
import { Answer, Empty, Notice, Skeleton } from "../../parts/states.tsx";
import { useSay } from "../../toasts.tsx";
import { RequestTable } from "./request-table.tsx";
import { isFiltered, type View } from "./use-filter.ts";
import { STATUSES } from "./words.ts";

const EVERY_MS = 15_000;
const RUNNING_EVERY_MS = 2_000;
const PAGE_ROWS = 25;
const WAITING_HEIGHT = 1_500;

type RequestsCardProps = { readonly view: View; onChange(change: Partial<View>): void };

export function RequestsCard({ view, onChange }: RequestsCardProps) {
  const { split: _, ...filter } = view;
  const exporting = useExport(filter);
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
            <option value="">All states</option>
            {Object.entries(STATUSES).map(([status, { label }]) => (
              <option key={status} value={status}>
                {label}
              </option>
            ))}
          </select>
          <Button
            icon={<Icon name="download" />}
            isBusy={exporting.isPending}
            title="Newest first, up to 100,000"
            onClick={() => exporting.mutate(filter)}
          >
            Export CSV
          </Button>
        </>
      }
    >
      {exporting.error && (
        <div className="card-body">
          <Notice look="bad">{exporting.error.message}</Notice>
        </div>
      )}
      {/* Rows of one filter must not be shown under another. */}
      <RequestPages key={JSON.stringify(filter)} filter={filter} onChange={onChange} />
    </Card>
  );
}

function useExport(filter: RequestFilter) {
  const say = useSay();
  const { organization } = useSigned();
  const exporting = useMutation<void, AskError, RequestFilter>({
    mutationFn: (exported) => saveFile("request.export", { ...exported, organizationId: organization.id }),
    onError({ problem }) {
      // The page that would show it is replaced by one of the other organization.
      if (problem.code === "elsewhere") say(problem.message);
    },
  });
  // The sign-in dialog over the page reports this, and signing in resolves it.
  const isSaidElsewhere = exporting.error?.problem.code === "signed_out";
  const isOfAnother = JSON.stringify(exporting.variables) !== JSON.stringify(filter);
  return { ...exporting, error: isSaidElsewhere || isOfAnother ? null : exporting.error };
}

/** Polled while a request is running, so that its end is seen. */
function isRunning(rows: readonly RequestRow[] = []): boolean {
  return rows.some(({ status }) => status === "processing");
}

function RequestPages({ filter, onChange }: { filter: RequestFilter } & Pick<RequestsCardProps, "onChange">) {
  const search = useSearch();
  const pages = usePages();
  const { cursor } = pages;
  const page = useAsk(
    "request.list",
    { ...filter, cursor, limit: PAGE_ROWS },
    {
      keepsOld: true,
      everyMs: (found) => (isRunning(found?.rows) ? RUNNING_EVERY_MS : cursor === undefined && EVERY_MS),
    },
  );
  useFirstPageAfter(page.error, pages);
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
            <Empty icon={<Icon name="list-filter" />} title={isCut ? "None so far" : "No requests"}>
              <p>
                {isCut
                  ? "No match in the requests searched so far. Search further back, or loosen the filters."
                  : isFiltered(filter)
                    ? "Nothing on these days matches."
                    : "Nothing was called on these days."}
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
          <Pager
            pages={pages}
            of="requests"
            nextCursor={nextCursor}
            isEmpty={rows.length === 0}
            isBusy={page.isPlaceholderData}
          />
        </div>
      )}
    </Answer>
  );
}
