import { type FormEvent, useState } from "react";
import { Redirect } from "wouter";
import type { SessionView } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { otherProblem } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./door.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { WayOn } from "./way-on.tsx";

/** For users who came by a set-password link. Others are redirected to where a password is changed. */
export function PasswordPage({ session }: { session: SessionView }) {
  // As it was on arrival: a user who took too long gets an error, with what they typed still there.
  const [mayChoose] = useState(session.person?.mayChoosePassword);
  const [password, setPassword] = useState("");
  const choose = useCommand("choose-password", []);
  const other = otherProblem(choose.error, ["password"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    choose.mutate({ password }, { onSuccess: () => location.assign("/console") });
  }
  if (!mayChoose) return <Redirect to="/account" replace />;
  return (
    <Door title="Choose a password" about="You will use it with your email to sign in.">
      <form className="form" onSubmit={submit}>
        {other && <Notice look="bad">{other}</Notice>}
        <NewPasswordField value={password} onChange={setPassword} error={choose.error} />
        <Button look="primary" type="submit" isBusy={choose.isPending || choose.isSuccess}>
          Save and continue
        </Button>
      </form>
      {other && <WayOn session={session} />}
    </Door>
  );
}
