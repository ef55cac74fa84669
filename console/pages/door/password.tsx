import { type FormEvent, useState } from "react";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./door.tsx";

/** For who came by a set-password link. */
export function PasswordPage() {
  const [password, setPassword] = useState("");
  const choose = useCommand("choose-password", []);
  const other = otherProblem(choose.error, ["password"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    choose.mutate({ password }, { onSuccess: () => location.assign("/console") });
  }
  return (
    <Door title="Choose a password" about="With it and your e-mail you sign in from now on.">
      <form className="form" onSubmit={submit}>
        {other && <Notice look="bad">{other}</Notice>}
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={128}
          hint="10 characters or more. A few words you remember are better than a short one nobody could."
          problem={problemOf(choose.error, "password")}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" type="submit" isBusy={choose.isPending || choose.isSuccess}>
          Save and continue
        </Button>
      </form>
    </Door>
  );
}
