import { useEffect, useState } from "react";
import type { InvitationRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { counted, day, moment } from "../../parts/format.ts";
import { LongList } from "../../parts/long-list.tsx";
import { Notice } from "../../parts/states.tsx";
import { wayBack } from "../../parts/way-back.ts";
import { useSay } from "../../toasts.tsx";
import { mayTouch, roleLabel } from "./roles.ts";

/** The members are below, and nobody should have to scroll past hundreds of invitations to them. */
const SHOWN_AT_FIRST = 12;

/** Invitations that were not used yet. Their links were shown only once. */
export function InvitationList({ invitations }: { invitations: readonly InvitationRow[] }) {
  const cancel = useCommand("invitation.cancel", ["member.list"]);
  const say = useSay();
  // Restores the focus once the row, or with it the whole table, is gone.
  const [waysBack] = useState(() => new WeakMap<object, () => void>());
  useEffect(() => () => waysBack.get(invitations)?.(), [waysBack, invitations]);
  return (
    <LongList
      title={counted(invitations.length, "open invitation")}
      rows={invitations}
      wordsOf={({ email }) => email}
      searchedBy="Email"
      whenNone="No matching invitations"
      atFirst={SHOWN_AT_FIRST}
    >
      {(shown) => (
        <>
          {cancel.error && (
            <div className="card-body">
              <Notice look="bad">{cancel.error.message}</Notice>
            </div>
          )}
          <div className="table-scroll">
            <table className="table stacks">
              <thead>
                <tr>
                  <th scope="col">Email</th>
                  <th scope="col">Role</th>
                  <th scope="col">Invited by</th>
                  <th scope="col">Ends</th>
                  <th scope="col">
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((row) => (
                  <Row
                    key={row.id}
                    row={row}
                    isBusy={cancel.isPending && cancel.variables.id === row.id}
                    onCancel={(button) => {
                      waysBack.set(invitations, wayBack(button));
                      const onSuccess = () => say(`The link for ${row.email} no longer works.`);
                      cancel.mutate({ id: row.id }, { onSuccess });
                    }}
                  />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </LongList>
  );
}

type RowProps = { readonly row: InvitationRow; readonly isBusy: boolean; onCancel(button: Element): void };

function Row({ row: { email, role, invitedBy, expiresAt }, isBusy, onCancel }: RowProps) {
  const { organization } = useSigned();
  return (
    <tr>
      <th scope="row">
        <span className="clip wide" title={email}>
          {email}
        </span>
      </th>
      <td data-label="Role">{roleLabel(role)}</td>
      <td data-label="Invited by">
        <span dir="auto" className="clip">
          {invitedBy}
        </span>
      </td>
      <td data-label="Ends" title={moment(expiresAt)}>
        {day(expiresAt)}
      </td>
      <td className="end">
        {mayTouch(organization.role, role) && (
          <Button look="quiet" isBusy={isBusy} onClick={({ currentTarget }) => onCancel(currentTarget)}>
            Cancel<span className="visually-hidden"> the invitation of {email}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}
