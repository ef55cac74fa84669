import { Activity, type ReactNode, useState } from "react";
import { Link, Redirect, Route, Router, Switch, useLocation, useRoute } from "wouter";
import type { SessionView } from "../gateway/src/http/console/contract.ts";
import { useSession, viewOf } from "./api/session.ts";
import { ArrivingPage } from "./pages/door/arriving.tsx";
import { ConfirmSignUpPage } from "./pages/door/confirm-sign-up.tsx";
import { ForgottenPage } from "./pages/door/forgotten.tsx";
import { InvitationPage } from "./pages/door/invitation.tsx";
import { LinkPage } from "./pages/door/link.tsx";
import { NoOrganization } from "./pages/door/no-organization.tsx";
import { PasswordPage } from "./pages/door/password.tsx";
import { SignInPage } from "./pages/door/sign-in.tsx";
import { SignInAgain } from "./pages/door/sign-in-again.tsx";
import { SignUpPage } from "./pages/door/sign-up.tsx";
import { PAGES, PlaygroundPage } from "./pages/later-pages.tsx";
import { isPage } from "./pages/playground/kinds.ts";
import { Boundary, NotLoaded } from "./parts/boundary.tsx";
import { askFirst } from "./parts/leaving.ts";
import { Page } from "./parts/page.tsx";
import { Shell } from "./shell/shell.tsx";

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
