import type { KeyRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ago, counted, day, moment, number } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { scopeWords } from "./scopes.ts";

type KeyTableProps = {
  readonly keys: readonly KeyRow[];
  onRotate(row: KeyRow): void;
  onRevoke(row: KeyRow): void;
};

export function KeyTable({ keys, onRotate, onRevoke }: KeyTableProps) {
  return (
    <div className="table-scroll">
      <table className="table stacks">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">May be used for</th>
            <th scope="col">State</th>
            <th scope="col">Last used</th>
            <th scope="col" className="end">
              Credits, 30 days
            </th>
            <th scope="col">Created</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((row) => (
            <Row key={row.id} row={row} onRotate={onRotate} onRevoke={onRevoke} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, onRotate, onRevoke }: Omit<KeyTableProps, "keys"> & { readonly row: KeyRow }) {
  return (
    <tr>
      <th scope="row">
        <span className="named">
          <span dir="auto" className="clip" title={row.name}>
            {row.name}
          </span>
          <code className="dim plain" translate="no">
            …{row.lastFour}
          </code>
        </span>
      </th>
      <td data-label="May be used for">
        <span className="named">
          <span>{scopeWords(row.scopes)}</span>
          <LimitWords row={row} />
        </span>
      </td>
      <td data-label="State">
        <State row={row} />
      </td>
      <td data-label="Last used" className="nowrap">
        {row.lastUsedAt ? <span title={moment(row.lastUsedAt)}>{ago(row.lastUsedAt)}</span> : "Never"}
      </td>
      <td data-label="Credits, 30 days" className="end">
        <span title={counted(row.requests, "call")}>{number(row.credits)}</span>
      </td>
      <td data-label="Created" className="nowrap">
        <span className="named">
          <span>{day(row.createdAt)}</span>
          <span className="dim small clip">by {row.mintedBy ?? "the operator"}</span>
        </span>
      </td>
      <td className="end">
        {row.state === "active" && (
          <span className="row-actions">
            <Button
              look="quiet"
              isIconOnly
              icon={<Icon name="refresh-cw" />}
              title="Replace the secret"
              onClick={() => onRotate(row)}
            >
              Replace the secret of {row.name}
            </Button>
            <Button
              look="quiet"
              isIconOnly
              icon={<Icon name="ban" />}
              title="Revoke"
              onClick={() => onRevoke(row)}
            >
              Revoke {row.name}
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

function State({ row }: { row: KeyRow }) {
  const { organization } = useSigned();
  if (row.state === "revoked") return <Badge look="bad">Revoked</Badge>;
  if (row.state === "expired") return <Badge look="warn">Expired</Badge>;
  return (
    <span className="named">
      <span>
        {organization.isActive ? <Badge look="good">Works</Badge> : <Badge look="warn">Refused</Badge>}
      </span>
      {row.expiresAt && (
        <span className="dim small" title={moment(row.expiresAt)}>
          until {day(row.expiresAt)}
        </span>
      )}
      {row.graceEndsAt && (
        <span className="dim small" title={moment(row.graceEndsAt)}>
          old secret expires {ago(row.graceEndsAt)}
        </span>
      )}
    </span>
  );
}

function LimitWords({ row }: { row: KeyRow }) {
  const words = [
    row.requestsPerMinute !== null && `${number(row.requestsPerMinute)} per minute`,
    row.inFlight !== null && `${number(row.inFlight)} at once`,
  ].filter(Boolean);
  return words.length === 0 ? null : <span className="dim small">{words.join(", ")}</span>;
}
