import { type FormEvent, useState } from "react";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { otherProblem } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./door.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

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
        <NewPasswordField value={password} onChange={setPassword} error={choose.error} />
        <Button look="primary" type="submit" isBusy={choose.isPending || choose.isSuccess}>
          Save and continue
        </Button>
      </form>
    </Door>
  );
}
