import { Link } from "wouter";
import type { LedgerRow } from "../../../gateway/src/http/console/contract.ts";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { number } from "../../parts/format.ts";
import { When } from "../../parts/when.tsx";
import { entryWords } from "./entry-words.ts";

export const TYPES: Readonly<Record<LedgerRow["type"], readonly [string, BadgeLook]>> = {
  grant: ["Added", "good"],
  charge: ["Spent", "plain"],
  expire: ["Expired", "warn"],
  adjust: ["Corrected", "info"],
};

export function LedgerTable({ rows }: { rows: readonly LedgerRow[] }) {
  return (
    <div className="table-scroll">
      <table className="table stacks ledger">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Kind</th>
            <th scope="col">When</th>
            <th scope="col">Pool</th>
            <th scope="col" className="end">
              Credits
            </th>
            <th scope="col" className="end">
              Pool balance
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Entry key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entry({ row }: { row: LedgerRow }) {
  const [kind, look] = TYPES[row.type];
  const isGain = row.amount > 0;
  return (
    <tr>
      <th scope="row" className="what">
        {row.requestId === null ? (
          <span className="plain entry-words">{entryWords(row.description)}</span>
        ) : (
          <Link href={`/usage/${row.requestId}`} className="plain entry-words receipt-link">
            {entryWords(row.description)}
          </Link>
        )}
      </th>
      <td className="kind">
        <Badge look={look}>{kind}</Badge>
      </td>
      <td className="when">
        <When at={row.createdAt} />
      </td>
      <td className="pool">{row.pool === "anytime" ? "Anytime" : "Plan"}</td>
      <td className={isGain ? "end amount gain" : "end amount"}>
        {isGain ? "+" : "−"}
        {number(Math.abs(row.amount))}
      </td>
      <td className="end left">
        <span>
          {number(row.balanceAfter)}
          <span className="unit"> left</span>
        </span>
      </td>
    </tr>
  );
}
