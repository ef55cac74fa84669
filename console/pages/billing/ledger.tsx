import { ScrollText } from "lucide-react";
import { useState } from "react";
import type { LedgerRow, Pool } from "../../../src/http/console/contract.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Card } from "../../parts/card.tsx";
import { Pager, usePages } from "../../parts/pager.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { LedgerTable, TYPES } from "./ledger-table.tsx";

type Filter = { readonly pool?: Pool; readonly type?: LedgerRow["type"] };

const PAGE_ROWS = 10;
const WAITING_HEIGHT = 460;

/** Every movement of credits, newest first: what the balance is made of. */
export function LedgerCard() {
  const [pool, setPool] = useState("");
  const [type, setType] = useState("");
  const filter = {
    ...(pool === "" ? {} : { pool: pool as Pool }),
    ...(type === "" ? {} : { type: type as LedgerRow["type"] }),
  };
  return (
    <Card
      title="Ledger"
      isFlush
      actions={
        <>
          <select
            className="input compact"
            aria-label="Pool"
            value={pool}
            onChange={(event) => setPool(event.target.value)}
          >
            <option value="">Both pools</option>
            <option value="subscription">Plan</option>
            <option value="anytime">Anytime</option>
          </select>
          <select
            className="input compact"
            aria-label="Kind"
            value={type}
            onChange={(event) => setType(event.target.value)}
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
      {/* Another filter begins with its first page. */}
      <LedgerPages key={JSON.stringify(filter)} filter={filter} />
    </Card>
  );
}

function LedgerPages({ filter }: { filter: Filter }) {
  const pages = usePages();
  const { cursor } = pages;
  const ledger = useAsk(
    "ledger",
    { ...filter, limit: PAGE_ROWS, ...(cursor === undefined ? {} : { cursor }) },
    { keepsOld: true },
  );
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
              icon={<ScrollText aria-hidden />}
              title={nextCursor === null ? "No entries of that kind yet" : "None so far"}
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
