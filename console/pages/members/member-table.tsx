import type { MemberRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { counted, day, number } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { mayTouch, roleLabel } from "./roles.ts";

/** Ids begin with a timestamp: those of one day begin alike. */
const LAST_OF_ID = 8;

type MemberTableProps = {
  readonly members: readonly MemberRow[];
  onChangeRole(row: MemberRow): void;
  onRemove(row: MemberRow): void;
};

export function MemberTable({ members, onChangeRole, onRemove }: MemberTableProps) {
  return (
    <div className="table-scroll">
      <table className="table stacks members">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col" className="end">
              Credits, 30 days
            </th>
            <th scope="col">
              Id<span className="id-use"> for X-Member-User-Id</span>
            </th>
            <th scope="col">Joined</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((row) => (
            <Row key={row.id} row={row} onChangeRole={onChangeRole} onRemove={onRemove} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  row,
  onChangeRole,
  onRemove,
}: Omit<MemberTableProps, "members"> & { readonly row: MemberRow }) {
  const { organization, person } = useSigned();
  return (
    <tr>
      <th scope="row">
        <span className="named">
          <span className="clip with-you">
            <span dir="auto" className="clip" title={row.name}>
              {row.name}
            </span>
            {row.id === person.id && <span className="dim">(you)</span>}
          </span>
          <span className="dim small clip plain" title={row.email}>
            {row.email}
          </span>
        </span>
      </th>
      <td data-label="Role">
        <Badge look={row.role === "owner" ? "good" : row.role === "admin" ? "info" : "plain"}>
          {roleLabel(row.role)}
        </Badge>
      </td>
      <td data-label="Credits, 30 days" className="end">
        <span title={counted(row.requests, "call")}>{number(row.credits)}</span>
      </td>
      <td data-label="Id">
        <span className="id-cell">
          <code title={row.id} translate="no">
            …{row.id.slice(-LAST_OF_ID)}
          </code>
          <CopyButton text={row.id} what={`the id of ${row.name}`} />
        </span>
      </td>
      <td data-label="Joined" className="nowrap">
        {day(row.createdAt)}
      </td>
      <td className="end">
        <span className="row-actions">
          {mayTouch(organization.role, row.role) && (
            <Button
              look="quiet"
              isIconOnly
              icon={<Icon name="user-cog" />}
              title="Change the role"
              onClick={() => onChangeRole(row)}
            >
              Change the role of {row.name}
            </Button>
          )}
          {(mayTouch(organization.role, row.role) || row.id === person.id) && (
            <Button
              look="quiet"
              isIconOnly
              icon={<Icon name="user-minus" />}
              title={row.id === person.id ? "Leave" : "Remove"}
              onClick={() => onRemove(row)}
            >
              {row.id === person.id ? "Leave" : `Remove ${row.name}`}
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}
