import { useState } from "react";
import type { MemberRow, Role } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../toasts.tsx";
import { oneOfRole, rolesFor } from "./roles.ts";

export function ChangeRole({ row, onClose }: { row: MemberRow; onClose(): void }) {
  const { organization, person } = useSigned();
  // The user's own role decides what the whole console shows.
  const change = useCommand("member.set-role", ["member.list", "session"]);
  const [role, setRole] = useState<Role>(row.role);
  const say = useSay();
  return (
    <Dialog title={`Role of ${row.name}`} onClose={onClose}>
      <div className="form">
        <fieldset className="field">
          <legend>Role</legend>
          <div>
            {rolesFor(organization.role).map((choice) => (
              <label key={choice.role} className="check">
                <input
                  type="radio"
                  name="role"
                  checked={role === choice.role}
                  onChange={() => setRole(choice.role)}
                />
                <span>
                  {choice.label} <span className="dim small">{choice.about}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {row.id === person.id && role !== row.role && (
          <Notice look="warn">You are changing your own role and cannot undo this yourself.</Notice>
        )}
        {change.error && <Notice look="bad">{change.error.message}</Notice>}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabled={role === row.role}
            isBusy={change.isPending}
            onClick={() =>
              change.mutate(
                { id: row.id, role, seenRole: row.role },
                {
                  onSuccess: () => {
                    say(`${row.name} is now ${oneOfRole(role)}.`);
                    onClose();
                  },
                },
              )
            }
          >
            Save
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
