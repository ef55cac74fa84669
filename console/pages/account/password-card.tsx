import { type FormEvent, useState } from "react";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../parts/toasts.tsx";
import { NewPasswordField } from "../door/new-password-field.tsx";

export function PasswordCard() {
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
