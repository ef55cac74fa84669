import { Activity, type ReactNode, Suspense, useState } from "react";
import { Link, Redirect, Route, Router, Switch, useLocation, useRoute } from "wouter";
import type { SessionView } from "../src/http/console/contract.ts";
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
import { isPage } from "./pages/playground/kinds.ts";
import { Boundary, NotLoaded } from "./parts/boundary.tsx";
import { askFirst } from "./parts/leaving.ts";
import { loadLater } from "./parts/load-later.tsx";
import { Page } from "./parts/page.tsx";
import { Skeleton } from "./parts/states.tsx";
import { Shell } from "./shell/shell.tsx";

/** Every page behind the sign-in, loaded when it is first opened. */
const OverviewPage = loadLater(() => import("./pages/overview/overview.tsx").then((m) => m.OverviewPage));
const UsagePage = loadLater(() => import("./pages/usage/usage.tsx").then((m) => m.UsagePage));
const KeysPage = loadLater(() => import("./pages/keys/keys.tsx").then((m) => m.KeysPage));
const MembersPage = loadLater(() => import("./pages/members/members.tsx").then((m) => m.MembersPage));
const ModelsPage = loadLater(() => import("./pages/models/models.tsx").then((m) => m.ModelsPage));
const LibraryPage = loadLater(() => import("./pages/library/library.tsx").then((m) => m.LibraryPage));
const PlaygroundPage = loadLater(() =>
  import("./pages/playground/playground.tsx").then((m) => m.PlaygroundPage),
);
const BillingPage = loadLater(() => import("./pages/billing/billing.tsx").then((m) => m.BillingPage));
const SettingsPage = loadLater(() => import("./pages/settings/settings.tsx").then((m) => m.SettingsPage));
const AccountPage = loadLater(() => import("./pages/account/account.tsx").then((m) => m.AccountPage));

/** Everything lives under `/console`; the paths below leave that out. */
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

/** Whose session ends keeps their page, and what they typed there, under the way back in. */
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

/** The address stays as it is, so that who signs in arrives where they wanted to go. */
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
      <Suspense fallback={<PageWaiting />}>
        <Kept />
        <PageBoundary of={path}>
          <Switch>
            <Route path="/" component={OverviewPage} />
            <Route path="/usage/:requestId?" component={UsagePage} />
            <Route path="/keys" component={KeysPage} />
            <Route path="/members" component={MembersPage} />
            <Route path="/models" component={ModelsPage} />
            <Route path="/library/:assetId?" component={LibraryPage} />
            <Route path="/playground/:kind?">{({ kind }) => !isPage(kind) && <NothingHere />}</Route>
            <Route path="/billing" component={BillingPage} />
            <Route path="/billing/checkout/:id" component={BillingPage} />
            <Route path="/settings" component={SettingsPage} />
            <Route path="/account" component={AccountPage} />
            {/* Doors that who is in has no use for any more. */}
            <Route path={/^\/(?:sign-in|sign-up|forgotten)$/}>
              <Redirect to="/" replace />
            </Route>
            <Route component={NothingHere} />
          </Switch>
        </PageBoundary>
      </Suspense>
    </Shell>
  );
}

/** The address was mistyped, or is older than the page that it led to. */
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
 * The playground, once it was opened: whoever looks at a receipt comes back to the conversation. Another organization
 * has one of its own, as it has a shell.
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

/** Around each page alone: one that fails leaves the menu, and the conversation that is kept. */
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

function PageWaiting() {
  return (
    <div className="page" role="status" aria-label="Loading">
      <Skeleton height={30} width={220} />
      <Skeleton height={180} />
    </div>
  );
}
