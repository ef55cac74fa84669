import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./entrance.tsx";

export function ForgottenPage() {
  const [email, setEmail] = useState("");
  const request = useCommand("request-link", []);
  function submit(event: FormEvent) {
    event.preventDefault();
    request.mutate({ email });
  }
  return (
    <Door title="Get a link by email" about="Use it to choose a new password.">
      {request.isSuccess ? (
        <Notice look="good">If {email} has an account here, a link is on its way.</Notice>
      ) : (
        <form className="form" onSubmit={submit}>
          {request.error && <Notice look="bad">{request.error.message}</Notice>}
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button look="primary" type="submit" isBusy={request.isPending}>
            Send the link
          </Button>
        </form>
      )}
      <p className="small dim">
        <Link href="/">Back to sign-in</Link>
      </p>
    </Door>
  );
}
