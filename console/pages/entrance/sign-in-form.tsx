import { type FormEvent, useState } from "react";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";

type SignInFormProps = {
  /** If set, only the password is asked for. */
  readonly fixedEmail?: string;
  /** A likely address, which can be changed. */
  readonly email?: string;
};

export function SignInForm({ fixedEmail, email: likely = "" }: SignInFormProps) {
  const [email, setEmail] = useState(fixedEmail ?? likely);
  const [password, setPassword] = useState("");
  const signIn = useCommand("sign-in", ["session"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    signIn.mutate({ email, password });
  }
  return (
    <form className="form" onSubmit={submit}>
      {signIn.error && <Notice look="bad">{signIn.error.message}</Notice>}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        readOnly={fixedEmail !== undefined}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button look="primary" type="submit" isBusy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
