import { type FormEvent, useState } from "react";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Code } from "../../parts/copy.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveBar } from "../../parts/save-bar.tsx";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../toasts.tsx";
import { NewPasswordField } from "../entrance/new-password-field.tsx";
import { RemoveMember } from "../members/remove-member.tsx";
import { roleLabel } from "../members/roles.ts";
import { SessionsCard } from "./sessions-card.tsx";

function PasswordCard() {
  const { person } = useSigned();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useCommand("change-password", ["session", "sessions"]);
  const say = useSay();
  const other = otherProblem(change.error, ["current", "password"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    const onSuccess = () => {
      say("Your password is saved. Other devices are signed out.");
      setCurrent("");
      setPassword("");
    };
    change.mutate({ current: person.hasPassword ? current : undefined, password }, { onSuccess });
  }
  return (
    <Card title="Password">
      <form className="form" onSubmit={submit}>
        {other && <Notice look="bad">{other}</Notice>}
        {/* Tells password managers whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={person.email} readOnly />
        {person.hasPassword ? (
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            problem={problemOf(change.error, "current")}
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        ) : (
          <p className="dim">You signed in with a link and have no password yet.</p>
        )}
        <NewPasswordField value={password} onChange={setPassword} error={change.error} />
        <div className="form-actions">
          <Button type="submit" isBusy={change.isPending}>
            {person.hasPassword ? "Change the password" : "Save the password"}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function NameCard() {
  const { person } = useSigned();
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? person.name;
  const rename = useCommand("rename", ["session", "member.list"]);
  const say = useSay();
  const other = otherProblem(rename.error, ["name"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    const onSuccess = () => {
      say("Your name is saved.");
      // It may have been stored without invisible characters; what was typed meanwhile stays.
      setTyped((now) => (now === name ? null : now));
    };
    rename.mutate({ name }, { onSuccess });
  }
  return (
    <Card title="Name">
      <form className="form" onSubmit={submit}>
        <TextField
          label="How others see you"
          required
          maxLength={100}
          autoComplete="name"
          problem={problemOf(rename.error, "name")}
          value={name}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="field">
          <span className="label">Your id for X-Member-User-Id</span>
          <Code text={person.id} what="your id" />
        </div>
        <SaveBar
          isChanged={name.trim() !== person.name}
          isBusy={rename.isPending}
          problem={other}
          onDiscard={() => {
            setTyped(null);
            rename.reset();
          }}
        />
      </form>
    </Card>
  );
}

/** Settings of the user, independent of the organization. */
export function AccountPage() {
  const { person } = useSigned();
  return (
    <Page title="Your account" about={person.email}>
      <div className="grid-2">
        <NameCard />
        <PasswordCard />
      </div>
      <SessionsCard />
      <Belongings />
    </Page>
  );
}

function Belongings() {
  const { organization, organizations, person } = useSigned();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Card title="Your organizations">
      <ul className="stack">
        {organizations.map(({ id, name, role }) => (
          <li key={id} className="spread">
            <span className="row">
              <span dir="auto" className="whole-name">
                {name}
              </span>
              <Badge>{roleLabel(role)}</Badge>
            </span>
            {id === organization.id && (
              <Button onClick={() => setLeaving(true)}>
                Leave<span className="visually-hidden"> {name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isLeaving && (
        <RemoveMember member={{ id: person.id, name: person.name }} onClose={() => setLeaving(false)} />
      )}
    </Card>
  );
}
