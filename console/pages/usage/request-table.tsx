import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { RequestFilter, RequestRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { Elapsed } from "../../parts/elapsed.tsx";
import { duration, number } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { When } from "../../parts/when.tsx";
import { StateOf } from "./status-badge.tsx";
import { endpointWords } from "./words.ts";

type Sort = NonNullable<RequestFilter["sort"]>;
type Order = NonNullable<RequestFilter["order"]>;
type Sorting = { readonly sort: Sort; readonly order: Order; onSort(sort: Sort, order: Order): void };

type RequestTableProps = {
  readonly rows: readonly RequestRow[];
  /** Appended to a receipt's URL, so that closing it shows the same list again. */
  readonly search?: string;
  /** Undefined for a fixed order, newest first. */
  readonly sorting?: Sorting;
};

/** Clicking a row opens its receipt; by keyboard, the time is the link. */
export function RequestTable({ rows, search = "", sorting }: RequestTableProps) {
  const [, navigate] = useLocation();
  const { administers } = useSigned();
  return (
    <div className="table-scroll">
      <table className="table stacks requests">
        <thead>
          <tr>
            <Column of="time" sorting={sorting}>
              Time
            </Column>
            <th scope="col">Model</th>
            {administers && <th scope="col">Who</th>}
            <th scope="col">State</th>
            <Column of="tokens" sorting={sorting} isEnd>
              Tokens
            </Column>
            <Column of="latency" sorting={sorting} isEnd>
              Took
            </Column>
            <Column of="credits" sorting={sorting} isEnd>
              Credits
            </Column>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const to = `/usage/${row.requestId}${search}`;
            return (
              <tr key={row.requestId} className="clickable" onClick={(event) => opens(event) && navigate(to)}>
                <td data-label="Time" className="time">
                  <Link href={to} className="receipt-link" onClick={(event) => event.stopPropagation()}>
                    <When at={row.createdAt} />
                  </Link>
                </td>
                <td data-label="Model" className="which">
                  <span className="named">
                    <span className="clip" title={row.model} translate="no">
                      {row.model}
                    </span>
                    <span className="dim small">{endpointWords(row.endpoint)}</span>
                  </span>
                </td>
                {administers && (
                  <td data-label="Who" className="whom">
                    <Who row={row} />
                  </td>
                )}
                <td data-label="State" className="state">
                  <StateOf row={row} />
                </td>
                <td data-label="Tokens" className="end tokens">
                  <Tokens row={row} />
                </td>
                <td data-label="Took" className="end took">
                  <Took row={row} />
                </td>
                <td data-label="Credits" className="end credits">
                  <Cost row={row} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Ignores clicks that end a selection, and those with a modifier key, which mean something else to the browser. */
function opens({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey && getSelection()?.isCollapsed !== false;
}

function Who({ row: { memberName, keyName } }: { row: RequestRow }) {
  return (
    <span className="named">
      {memberName !== null && (
        <span dir="auto" className="clip" title={memberName}>
          {memberName}
        </span>
      )}
      <span dir="auto" className={memberName === null ? "clip" : "clip dim small"} title={keyName ?? ""}>
        {keyName ?? "A key that no longer exists"}
      </span>
    </span>
  );
}

function Took({ row: { status, createdAt, latencyMs } }: { row: RequestRow }) {
  if (status === "processing") return <Elapsed since={createdAt} />;
  return <span>{latencyMs === null ? "–" : duration(latencyMs)}</span>;
}

/** Nothing is charged before the request ends. */
function Cost({ row: { status, createdAt, credits } }: { row: RequestRow }) {
  if (status === "processing") {
    return (
      <>
        <span className="visually-hidden">Not charged yet</span>
        <span aria-hidden className="wide-only">
          –
        </span>
        <span className="unit">
          <Elapsed since={createdAt} />
        </span>
      </>
    );
  }
  return (
    <span>
      {number(credits)}
      <span className="unit"> {credits === 1 ? "credit" : "credits"}</span>
    </span>
  );
}

function Tokens({ row: { inputTokens, outputTokens, tokensSaved } }: { row: RequestRow }) {
  if (inputTokens + outputTokens === 0) return <span className="none">–</span>;
  return (
    <span className="named end-aligned">
      <span>
        {number(inputTokens + outputTokens)}
        <span className="unit"> tokens</span>
      </span>
      {tokensSaved > 0 && <span className="dim small">{number(tokensSaved)} saved</span>}
    </span>
  );
}

type ColumnProps = {
  readonly of: Sort;
  readonly sorting: Sorting | undefined;
  readonly isEnd?: boolean;
  readonly children: ReactNode;
};

function Column({ of, sorting, isEnd = false, children }: ColumnProps) {
  const className = isEnd ? "end" : undefined;
  if (!sorting) {
    return (
      <th scope="col" className={className}>
        {children}
      </th>
    );
  }
  const isHere = sorting.sort === of;
  const isDown = sorting.order === "down";
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isHere ? (isDown ? "descending" : "ascending") : undefined}
    >
      <button
        type="button"
        className="sort"
        onClick={() => sorting.onSort(of, isHere && isDown ? "up" : "down")}
      >
        {children}
        {isHere && <Icon name={isDown ? "arrow-down" : "arrow-up"} />}
      </button>
    </th>
  );
}
