import { type FormEvent, useState } from "react";
import type { Role } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { otherProblem, problemOf, SelectField, TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { ROLES, rolesFor } from "./roles.ts";

export function InviteMember({ onClose }: { onClose(): void }) {
  const { organization, service } = useSigned();
  const invite = useCommand("invitation.create", ["member.list"], { showsAnswer: true });
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const other = otherProblem(invite.error, ["email", "role"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    invite.mutate({ email, role });
  }
  if (invite.data) return <Invited email={email} link={invite.data.link} onClose={onClose} />;
  return (
    <Dialog title={`Invite someone to ${organization.name}`} isBusy={invite.isPending} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {other && <Notice look="bad">{other}</Notice>}
        <TextField
          label="Email"
          type="email"
          required
          maxLength={254}
          hint={
            service.sendsMail
              ? "They get an email with a link that works once, for a week."
              : "You get a link to pass on to them. It works once, for a week, for this address only."
          }
          problem={problemOf(invite.error, "email")}
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            // The error was about the previous address.
            if (invite.error) invite.reset();
          }}
        />
        <SelectField
          label="Role"
          hint={capitalized(ROLES.find((one) => one.role === role)?.about ?? "")}
          problem={problemOf(invite.error, "role")}
          value={role}
          onChange={(event) =>
            setRole(ROLES.find((one) => one.role === event.target.value)?.role ?? "member")
          }
        >
          {rolesFor(organization.role).map((choice) => (
            <option key={choice.role} value={choice.role}>
              {choice.label}
            </option>
          ))}
        </SelectField>
        <div className="form-actions">
          <Button onClick={onClose} disabled={invite.isPending}>
            Cancel
          </Button>
          <Button look="primary" type="submit" isBusy={invite.isPending}>
            {service.sendsMail ? "Send the invitation" : "Create the invitation"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const LAST_WORDS =
  "You have not copied the link yet. It cannot be shown again; you would have to invite them again.";

type InvitedProps = { readonly email: string; readonly link: string | null; onClose(): void };

function Invited({ email, link, onClose }: InvitedProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog
      title="The invitation is ready"
      lastWords={link !== null && !isCopied ? LAST_WORDS : null}
      onClose={onClose}
    >
      <div className="form">
        {link === null ? (
          <Notice look="good">It is on its way to {email}.</Notice>
        ) : (
          <>
            <Notice look="warn">
              Send this link to {email} and to nobody else. It is shown only once, and whoever opens it first
              gets in.
            </Notice>
            <Code text={link} what="the link" onCopied={() => setCopied(true)} />
          </>
        )}
        <div className="form-actions">
          <Button look="primary" onClick={onClose}>
            {link === null ? "Done" : "I have copied it"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
