import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import type { SessionView } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./entrance.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

/** If mail is set up, the email address is confirmed first, and the password is chosen behind the link. */
export function SignUpPage({ session }: { session: SessionView }) {
  const { sendsMail } = session.service;
  const signUp = useCommand("sign-up", []);
  const [given, setGiven] = useState({ name: "", email: "", organization: "", password: "" });
  const other = otherProblem(signUp.error, ["name", "email", "organization", "password"]);
  const change = (part: Partial<typeof given>) => setGiven({ ...given, ...part });
  function submit(event: FormEvent) {
    event.preventDefault();
    const { password, ...rest } = given;
    // A new session begins: reload everything.
    const onSuccess = ({ mailed }: { mailed: boolean }) => !mailed && location.assign("/console");
    signUp.mutate({ ...rest, password: sendsMail ? undefined : password }, { onSuccess });
  }
  if (signUp.data?.mailed) {
    return (
      <Door
        title="Check your email"
        about={`We sent an email to ${given.email}. Open the link in it within a day.`}
      >
        <p className="small dim">Nothing there? Check your spam folder, or try again later.</p>
      </Door>
    );
  }
  return (
    <Door title="Create an account" about="For you and an organization of your own, on the Free plan.">
      <form className="form" onSubmit={submit}>
        {other && <Notice look="bad">{other}</Notice>}
        <TextField
          label="Your name"
          autoComplete="name"
          required
          maxLength={100}
          problem={problemOf(signUp.error, "name")}
          value={given.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          problem={problemOf(signUp.error, "email")}
          value={given.email}
          onChange={(event) => change({ email: event.target.value })}
        />
        <TextField
          label="Organization"
          autoComplete="organization"
          required
          maxLength={100}
          hint="Your company, your team or yourself. You can invite others later."
          problem={problemOf(signUp.error, "organization")}
          value={given.organization}
          onChange={(event) => change({ organization: event.target.value })}
        />
        {!sendsMail && (
          <NewPasswordField
            label="Password"
            value={given.password}
            onChange={(password) => change({ password })}
            error={signUp.error}
          />
        )}
        <Button look="primary" type="submit" isBusy={signUp.isPending || signUp.isSuccess}>
          Create the account
        </Button>
      </form>
      <p className="small dim">
        Already have an account? <Link href="/">Sign in</Link>
      </p>
    </Door>
  );
}
