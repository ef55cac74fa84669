import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import type { Queries, SessionView } from "../../../gateway/src/http/console/contract.ts";
import { useSession } from "../../api/session.ts";
import { useAsk, useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { otherProblem, problemOf, TextField } from "../../parts/field.tsx";
import { day } from "../../parts/format.ts";
import { SignOutProblem } from "../../parts/sign-out-problem.tsx";
import { Answer, Notice, Skeleton } from "../../parts/states.tsx";
import { Door } from "./entrance.tsx";
import { NewLink } from "./new-link.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { WayOn } from "./way-on.tsx";

type Invitation = Queries["invitation"]["output"];

/** Opening the page changes nothing; accepting uses up the link. */
export function InvitationPage({ token }: { token: string }) {
  const session = useSession();
  const invitation = useAsk("invitation", { token });
  const { data } = invitation;
  return (
    <Door
      title={data ? `Join ${data.organization}` : "Invitation"}
      about={data && `${data.invitedBy} invites ${data.email} as ${data.role}, until ${day(data.expiresAt)}.`}
    >
      <Answer of={invitation} waiting={<Skeleton height={160} />}>
        {(found) => (
          <Answer of={session} waiting={<Skeleton height={160} />}>
            {(who) => <Accept token={token} invitation={found} session={who} />}
          </Answer>
        )}
      </Answer>
      {invitation.error?.problem.code === "not_found" && <WayOn session={session.data} />}
    </Door>
  );
}

type AcceptProps = {
  readonly token: string;
  readonly invitation: Invitation;
  readonly session: SessionView;
};

function Accept({ token, invitation, session }: AcceptProps) {
  const { person } = session;
  if (person && person.email !== invitation.email) return <OtherPerson email={person.email} />;
  if (person) return <AcceptSignedIn token={token} />;
  return <Visitor token={token} email={invitation.email} session={session} />;
}

/** Whether the email address has an account is only asked, not shown: the inviter may open this page, too. */
function Visitor({ token, email, session }: Omit<AcceptProps, "invitation"> & { readonly email: string }) {
  const [hasAccount, setHasAccount] = useState(false);
  return (
    <>
      {hasAccount ? (
        <>
          <SignInForm fixedEmail={email} />
          <NewLink session={session} question="No password yet, or forgot it?" isAside />
        </>
      ) : (
        <Newcomer token={token} email={email} />
      )}
      <Button onClick={() => setHasAccount(!hasAccount)}>
        {hasAccount ? "I am new here" : "I already have an account"}
      </Button>
    </>
  );
}

function OtherPerson({ email }: { email: string }) {
  const signOut = useCommand("sign-out", ["session"]);
  return (
    <>
      <Notice look="warn">You are signed in as {email}. This invitation is for another address.</Notice>
      <SignOutProblem error={signOut.error} />
      <div className="row">
        <Link href="/" className="button primary">
          Go to the console
        </Link>
        <Button onClick={() => signOut.mutate({})} isBusy={signOut.isPending}>
          Sign out
        </Button>
      </div>
    </>
  );
}

/** For a new session or another organization: reloads everything. */
const enter = () => location.assign("/console");

function AcceptSignedIn({ token }: { token: string }) {
  const accept = useCommand("accept-invitation", []);
  return (
    <>
      {accept.error && <Notice look="bad">{accept.error.message}</Notice>}
      <Button
        look="primary"
        isBusy={accept.isPending || accept.isSuccess}
        onClick={() => accept.mutate({ token }, { onSuccess: enter })}
      >
        Join
      </Button>
    </>
  );
}

function Newcomer({ token, email }: { token: string; email: string }) {
  const accept = useCommand("accept-invitation", []);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const other = otherProblem(accept.error, ["name", "password"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    accept.mutate({ token, name, password }, { onSuccess: enter });
  }
  return (
    <form className="form" onSubmit={submit}>
      {other && <Notice look="bad">{other}</Notice>}
      <TextField label="Email" type="email" autoComplete="username" readOnly value={email} />
      <TextField
        label="Your name"
        autoComplete="name"
        required
        maxLength={100}
        problem={problemOf(accept.error, "name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <NewPasswordField
        label="Choose a password"
        value={password}
        onChange={setPassword}
        error={accept.error}
      />
      <Button look="primary" type="submit" isBusy={accept.isPending || accept.isSuccess}>
        Create the account and join
      </Button>
    </form>
  );
}
