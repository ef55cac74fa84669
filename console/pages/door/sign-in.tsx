import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import type { SessionView } from "../../../src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./door.tsx";

export function SignInPage({ session }: { session: SessionView }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useCommand("sign-in", ["session"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    signIn.mutate({ email, password });
  }
  return (
    <Door title="Sign in">
      <form className="form" onSubmit={submit}>
        {signIn.error && <Notice look="bad">{signIn.error.message}</Notice>}
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
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
      {session.service.signUpIsOpen && (
        <p className="small dim">
          New here? <Link href="/sign-up">Make an account</Link>
        </p>
      )}
      <p className="small dim">
        No password, or forgotten? Whoever runs this Bursar prints a one-time link with{" "}
        <code>bin/bursar member link</code>.
      </p>
    </Door>
  );
}
