import { useSearchParams } from "wouter";
import type { LedgerRow, Pool } from "../../../gateway/src/http/console/contract.ts";
import { useAsk } from "../../api/use-ask.ts";
import { setOrLeaveOut } from "../../parts/address.ts";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { firstPageOf, Pager, useFirstPageAfter, usePages } from "../../parts/pager.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { LedgerTable, TYPES } from "./ledger-table.tsx";

type Filter = { readonly pool?: Pool; readonly type?: LedgerRow["type"] };

const POOLS: readonly Pool[] = ["subscription", "anytime"];
const KINDS = Object.keys(TYPES) as LedgerRow["type"][];
const PAGE_ROWS = 10;
const WAITING_HEIGHT = 460;

/** The page and the filter that are in the URL. */
export function useLedger({ isOff = false } = {}) {
  const [search] = useSearchParams();
  const { cursor } = usePages();
  const input = { ...filterOf(search), limit: PAGE_ROWS, ...(cursor === undefined ? {} : { cursor }) };
  return useAsk("ledger.list", input, { keepsOld: true, isOff });
}

function filterOf(search: URLSearchParams): Filter {
  const pool = POOLS.find((one) => one === search.get("pool"));
  const type = KINDS.find((one) => one === search.get("kind"));
  return { ...(pool ? { pool } : {}), ...(type ? { type } : {}) };
}

/** Every movement of credits, newest first: what the balance consists of. The filters are in the URL. */
export function LedgerCard() {
  const [search, setSearch] = useSearchParams();
  const filter = filterOf(search);
  const { pool, type } = filter;
  function choose(name: "pool" | "kind", value: string): void {
    setSearch((before) => setOrLeaveOut(firstPageOf(before), name, value), { replace: true });
  }
  return (
    <Card
      title="Ledger"
      isFlush
      actions={
        <>
          <select
            className="input compact"
            aria-label="Pool"
            value={pool ?? ""}
            onChange={(event) => choose("pool", event.target.value)}
          >
            <option value="">Both pools</option>
            <option value="subscription">Plan</option>
            <option value="anytime">Anytime</option>
          </select>
          <select
            className="input compact"
            aria-label="Kind"
            value={type ?? ""}
            onChange={(event) => choose("kind", event.target.value)}
          >
            <option value="">All kinds</option>
            {Object.entries(TYPES).map(([value, [words]]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </>
      }
    >
      {/* Rows of one filter must not be shown under another. */}
      <LedgerPages key={JSON.stringify(filter)} isFiltered={Object.keys(filter).length > 0} />
    </Card>
  );
}

function LedgerPages({ isFiltered }: { isFiltered: boolean }) {
  const pages = usePages();
  const ledger = useLedger();
  useFirstPageAfter(ledger.error, pages);
  const isStale = ledger.isPlaceholderData;
  return (
    <Answer
      of={ledger}
      waiting={
        <div className="card-body">
          <Skeleton height={WAITING_HEIGHT} />
        </div>
      }
    >
      {({ rows, nextCursor }) => (
        <div aria-busy={isStale || undefined} className={isStale ? "stale" : ""}>
          {rows.length > 0 ? (
            <LedgerTable rows={rows} />
          ) : (
            <Empty
              icon={<Icon name="scroll-text" />}
              title={
                nextCursor !== null
                  ? "None so far"
                  : isFiltered
                    ? "No entries of that kind yet"
                    : "No entries yet"
              }
            >
              <p>
                {nextCursor === null
                  ? "Every credit that comes in or goes out is listed here."
                  : "No match in the entries searched so far. Search older ones."}
              </p>
            </Empty>
          )}
          <Pager
            pages={pages}
            of="the ledger"
            nextCursor={nextCursor}
            isEmpty={rows.length === 0}
            isBusy={isStale}
          />
        </div>
      )}
    </Answer>
  );
}
