import type { UseQueryResult } from "@tanstack/react-query";
import { Activity, type FormEvent, type ReactNode, useId, useState } from "react";
import { Link, Redirect, Route, Router, Switch, useLocation, useRoute } from "wouter";
import type { SessionView } from "../gateway/src/http/console/contract.ts";
import type { AskError } from "./api/ask.ts";
import { useSession, viewOf } from "./api/session.ts";
import { useCommand } from "./api/use-ask.ts";
import { ConfirmSignUpPage } from "./pages/entrance/confirm-sign-up.tsx";
import { Door } from "./pages/entrance/entrance.tsx";
import { ForgottenPage } from "./pages/entrance/forgotten.tsx";
import { InvitationPage } from "./pages/entrance/invitation.tsx";
import { LinkPage } from "./pages/entrance/link.tsx";
import { NewLink } from "./pages/entrance/new-link.tsx";
import { NewPasswordField } from "./pages/entrance/new-password-field.tsx";
import { SignInForm } from "./pages/entrance/sign-in-form.tsx";
import { SignUpPage } from "./pages/entrance/sign-up.tsx";
import { WayOn } from "./pages/entrance/way-on.tsx";
import { PAGES, PlaygroundPage } from "./pages/later-pages.tsx";
import { isPage } from "./pages/playground/kinds.ts";
import { Boundary, NotLoaded } from "./parts/boundary.tsx";
import { BrandMark } from "./parts/brand.tsx";
import { Button } from "./parts/button.tsx";
import { otherProblem } from "./parts/field.tsx";
import { Icon } from "./parts/icons/icon.tsx";
import { askFirst } from "./parts/leaving.ts";
import { Modal } from "./parts/modal.tsx";
import { Page } from "./parts/page.tsx";
import { SignOutProblem } from "./parts/sign-out-problem.tsx";
import { Answer, Notice } from "./parts/states.tsx";
import { Shell } from "./shell/shell.tsx";

/** For users who came by a set-password link. Others are redirected to where a password is changed. */
function PasswordPage({ session }: { session: SessionView }) {
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

/** For users who are signed in, but removed from every organization. */
function NoOrganization({ session }: { session: SessionView }) {
  // Refetches nothing: the next page does, but this one would take it for a session that ended unexpectedly.
  const signOut = useCommand("sign-out", []);
  return (
    <Door
      title="No organization"
      about={`${session.person?.email} does not belong to any organization at the moment.`}
    >
      <p>
        Ask an owner or an admin of your organization to invite you. This account stays as it is until then.
      </p>
      {session.service.signUpIsOpen && (
        <p>
          To have an organization of your own, sign out and create an account with another email address:
          signing up creates both.
        </p>
      )}
      <SignOutProblem error={signOut.error} />
      <Button
        onClick={() => signOut.mutate({}, { onSuccess: () => location.assign("/console") })}
        isBusy={signOut.isPending || signOut.isSuccess}
      >
        Sign out
      </Button>
    </Door>
  );
}

/**
 * Covers the page of a user who was signed out, until they are signed in again by this form or in another tab. Nobody
 * can read the page meanwhile.
 */
function SignInAgain({ session, email }: { session: SessionView; email: string }) {
  const id = useId();
  return (
    <Modal
      className="dialog curtain"
      aria-labelledby={id}
      focusFirst="[type=password]"
      isHeld
      onClose={() => {}}
    >
      <div className="dialog-head">
        <h2 id={id}>You were signed out</h2>
      </div>
      <div className="dialog-body stack">
        <p>Sign in to continue. What you were doing is still here.</p>
        <SignInForm email={email} />
        <NewLink session={session} question="No password yet, or forgot it?" isAside />
      </div>
    </Modal>
  );
}

/** Shown until the gateway has said who is signed in, or if it does not answer. */
function ArrivingPage({ session }: { session: UseQueryResult<SessionView, AskError> }) {
  if (session.error) {
    return (
      <Door title="Not loaded">
        <Answer of={session} waiting={null}>
          {() => null}
        </Answer>
      </Door>
    );
  }
  return (
    <main className="door" role="status" aria-label="Loading">
      <span className="arriving">
        <span className="brand">
          <BrandMark />
          Bursar
        </span>
        <Icon name="loader-circle" className="spin" />
      </span>
    </main>
  );
}

function SignInPage({ session }: { session: SessionView }) {
  return (
    <Door title="Sign in">
      <SignInForm />
      {session.service.signUpIsOpen && (
        <p className="small dim">
          New here? <Link href="/sign-up">Create an account</Link>
        </p>
      )}
      <NewLink session={session} question="No password yet, or forgot it?" />
    </Door>
  );
}

/** All paths are below `/console`, which the routes leave out. */
export function App() {
  return (
    <Router base="/console" aroundNav={(navigate, to, options) => askFirst(() => navigate(to, options))}>
      <Switch>
        <Route path="/link/:token">{({ token }) => <LinkPage token={token} />}</Route>
        <Route path="/sign-up/:token">{({ token }) => <ConfirmSignUpPage token={token} />}</Route>
        <Route path="/invitation/:token">{({ token }) => <InvitationPage token={token} />}</Route>
        <Route>
          <Home />
        </Route>
      </Switch>
    </Router>
  );
}

function Home() {
  const session = useSession();
  const found = session.data;
  if (!found) return <ArrivingPage session={session} />;
  return <Seen session={found} />;
}

/** If a session ends, the user's page, and what they typed there, stays below the sign-in dialog. */
function Seen({ session }: { session: SessionView }) {
  const [last, setLast] = useState(session);
  if (session.person && session !== last) setLast(session);
  if (!last.person) return <SignedOut session={session} />;
  return (
    <>
      <SignedIn session={session.person ? session : last} />
      {!session.person && <SignInAgain session={session} email={last.person.email} />}
    </>
  );
}

/** The URL stays, so that a user who signs in arrives where they wanted to go. */
function SignedOut({ session }: { session: SessionView }) {
  const [path] = useLocation();
  const { signUpIsOpen, sendsMail } = session.service;
  if (path === "/sign-up" && signUpIsOpen) return <SignUpPage session={session} />;
  if (path === "/forgotten" && sendsMail) return <ForgottenPage />;
  return <SignInPage session={session} />;
}

function SignedIn({ session }: { session: SessionView }) {
  const [path] = useLocation();
  if (path === "/password") return <PasswordPage session={session} />;
  if (!session.organization) return <NoOrganization session={session} />;
  return (
    <Shell key={viewOf(session)} session={session}>
      <Kept />
      <PageBoundary of={path}>
        <Switch>
          {PAGES.map((page) => (
            <Route key={page.path} path={page.path} component={page.Page} />
          ))}
          <Route path="/playground/:kind?">{({ kind }) => !isPage(kind) && <NothingHere />}</Route>
          {/* Pages that a signed-in user no longer needs. */}
          <Route path={/^\/(?:sign-in|sign-up|forgotten)$/}>
            <Redirect to="/" replace />
          </Route>
          <Route component={NothingHere} />
        </Switch>
      </PageBoundary>
    </Shell>
  );
}

/** The URL was mistyped, or its page no longer exists. */
function NothingHere() {
  return (
    <Page title="Nothing here" about="There is no page at this address.">
      <div>
        <Link href="/" className="button primary">
          Go to the overview
        </Link>
      </div>
    </Page>
  );
}

/**
 * The playground stays mounted once it was opened: a user who looks at a receipt comes back to the conversation.
 * Another organization has its own, as it has its own shell.
 */
function Kept() {
  const [isPlayground, params] = useRoute("/playground/:kind?");
  const isHere = isPlayground && isPage(params.kind);
  const [kind, setKind] = useState<string | undefined>();
  const [wasOpened, setOpened] = useState(false);
  if (isHere && (!wasOpened || params.kind !== kind)) {
    setOpened(true);
    setKind(params.kind);
  }
  if (!isHere && !wasOpened) return null;
  return (
    <Activity mode={isHere ? "visible" : "hidden"}>
      <PageBoundary of={String(isHere)}>
        <PlaygroundPage kind={kind} />
      </PageBoundary>
    </Activity>
  );
}

/** Around each page alone: if one fails, the menu and the kept conversation stay. */
function PageBoundary({ of, children }: { of: string; children: ReactNode }) {
  return (
    <Boundary
      of={of}
      instead={(failure) => (
        <Page title="Not loaded">
          <NotLoaded what="This page" {...failure} />
        </Page>
      )}
    >
      {children}
    </Boundary>
  );
}
