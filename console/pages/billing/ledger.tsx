import { ScrollText } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { LedgerRow, Pool } from "../../../src/http/console/contract.ts";
import { useAskPages } from "../../api/use-ask-pages.ts";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { moment, number } from "../../parts/format.ts";
import { Segments } from "../../parts/segments.tsx";
import { Empty, Notice, Skeleton } from "../../parts/states.tsx";

type PoolChoice = Pool | "all";
type TypeChoice = LedgerRow["type"] | "all";

const POOLS: readonly { value: PoolChoice; label: string }[] = [
  { value: "all", label: "Both" },
  { value: "subscription", label: "Plan" },
  { value: "anytime", label: "Anytime" },
];
const TYPES: Readonly<Record<LedgerRow["type"], readonly [string, BadgeLook]>> = {
  grant: ["Added", "good"],
  charge: ["Spent", "plain"],
  expire: ["Expired", "warn"],
  adjust: ["Corrected", "info"],
};
const TYPE_CHOICES: readonly { value: TypeChoice; label: string }[] = [
  { value: "all", label: "Everything" },
  { value: "grant", label: "Added" },
  { value: "charge", label: "Spent" },
  { value: "expire", label: "Expired" },
  { value: "adjust", label: "Corrected" },
];
const PAGE_ROWS = 25;

/** Every movement of credits, newest first: what the balance is made of. */
export function LedgerCard() {
  const [pool, setPool] = useState<PoolChoice>("all");
  const [type, setType] = useState<TypeChoice>("all");
  const ledger = useAskPages("ledger", {
    limit: PAGE_ROWS,
    ...(pool === "all" ? {} : { pool }),
    ...(type === "all" ? {} : { type }),
  });
  const { rows } = ledger;
  return (
    <Card title="Ledger" isFlush>
      <div className="ledger-filters">
        <Segments<PoolChoice> name="Pool" value={pool} choices={POOLS} onChoose={setPool} />
        <Segments<TypeChoice> name="Kind" value={type} choices={TYPE_CHOICES} onChoose={setType} />
      </div>
      {ledger.error && !rows && <Notice look="bad">{ledger.error.message}</Notice>}
      {!rows && !ledger.error && <Skeleton height={320} />}
      {rows && rows.length > 0 && <Entries rows={rows} isStale={ledger.isPlaceholderData} />}
      {rows && rows.length === 0 && !ledger.hasNextPage && (
        <Empty icon={<ScrollText aria-hidden />} title="Nothing of that kind yet">
          <p>Every credit that comes in or goes out is written down here.</p>
        </Empty>
      )}
      {ledger.hasNextPage && (
        <div className="table-more">
          {rows && rows.length === 0 && (
            <span className="dim small">Nothing of that kind among the newest.</span>
          )}
          <Button isBusy={ledger.isFetchingNextPage} onClick={() => void ledger.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Card>
  );
}

function Entries({ rows, isStale }: { rows: readonly LedgerRow[]; isStale: boolean }) {
  return (
    <table className="table stacks" aria-busy={isStale}>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">When</th>
          <th scope="col">Pool</th>
          <th scope="col" className="end">
            Credits
          </th>
          <th scope="col" className="end">
            In that pool then
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Entry key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Entry({ row }: { row: LedgerRow }) {
  const [words, look] = TYPES[row.type];
  const isGain = row.amount > 0;
  return (
    <tr>
      <th scope="row">
        <span className="row">
          <Badge look={look}>{words}</Badge>
          {row.requestId === null ? (
            <span className="plain entry-words">{row.description}</span>
          ) : (
            <Link href={`/usage/${row.requestId}`} className="plain entry-words">
              {row.description}
            </Link>
          )}
        </span>
      </th>
      <td data-label="When">{moment(row.createdAt)}</td>
      <td data-label="Pool">{row.pool === "anytime" ? "Anytime" : "Plan"}</td>
      <td data-label="Credits" className={isGain ? "end gain" : "end"}>
        {isGain ? "+" : "−"}
        {number(Math.abs(row.amount))}
      </td>
      <td data-label="In that pool then" className="end">
        {number(row.balanceAfter)}
      </td>
    </tr>
  );
}
