import { type ReactNode, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { Role, SessionView } from "../../gateway/src/http/console/contract.ts";
import { SessionProvider, useSigned } from "../api/session.ts";
import { useCommand } from "../api/use-ask.ts";
import { beginPage } from "../pages/later-pages.tsx";
import { BrandMark } from "../parts/brand.tsx";
import { Button } from "../parts/button.tsx";
import { capital } from "../parts/format.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { askFirst } from "../parts/leaving.ts";
import { Modal } from "../parts/modal.tsx";
import { Segments } from "../parts/segments.tsx";
import { SignOutProblem } from "../parts/sign-out-problem.tsx";
import { Notice } from "../parts/states.tsx";
import { NAV } from "./pages.ts";

/** Chooses the shown organization; only its name if the user belongs to just one. */
function OrganizationSwitch({ session }: { session: SessionView }) {
  const choose = useCommand("choose-organization", ["session"]);
  const { organization, organizations } = session;
  const [path, go] = useLocation();
  const meansOne = new URLSearchParams(useSearch()).has("organization");
  if (!organization) return null;

  /** After a manual choice, the organization named by a link no longer matters. */
  function forgetMeant(): void {
    if (meansOne) go(path, { replace: true });
  }

  if (organizations.length < 2) {
    return (
      <div className="who">
        <span dir="auto">
          <strong>{organization.name}</strong>
        </span>
        <span className="dim">{capital(organization.plan)} plan</span>
      </div>
    );
  }
  return (
    <div className="organization-choice">
      <select
        className="input"
        aria-label="Organization"
        title={organization.name}
        value={organization.id}
        disabled={choose.isPending}
        onChange={({ target }) => {
          const id = target.value;
          askFirst(() => choose.mutate({ id }, { onSuccess: forgetMeant }));
        }}
      >
        {organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <span className="plan-of dim">{capital(organization.plan)} plan</span>
      {choose.error && <Notice look="bad">{choose.error.message}</Notice>}
    </div>
  );
}

type ThemeChoice = "system" | "light" | "dark";

const COOKIE = "bursar.theme";
const YEAR_SECONDS = 31_536_000;

function chosenTheme(): ThemeChoice {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Kept in a cookie, so that the gateway's page has the right colours from the start. */
function chooseTheme(choice: ThemeChoice): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  if (choice === "system") {
    delete document.documentElement.dataset.theme;
    document.cookie = `${COOKIE}=; Path=/console; Max-Age=0; SameSite=Lax${secure}`;
  } else {
    document.documentElement.dataset.theme = choice;
    document.cookie = `${COOKIE}=${choice}; Path=/console; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
  }
  paintBrowserBars(choice);
}

/** The page has a tag for each theme, which applies by the system's preference or by this choice. */
function paintBrowserBars(choice: ThemeChoice): void {
  for (const tag of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { theme } = tag.dataset;
    tag.media =
      choice === "system" ? `(prefers-color-scheme: ${theme})` : choice === theme ? "all" : "not all";
  }
}

const CHOICES: readonly { value: ThemeChoice; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "Auto" },
];

function ThemeSwitch() {
  const [choice, setChoice] = useState(chosenTheme);
  return (
    <Segments
      name="Colours"
      value={choice}
      choices={CHOICES}
      onChoose={(next) => {
        chooseTheme(next);
        setChoice(next);
      }}
    />
  );
}

/** Shown above every page, since no call works. */
function InactiveNotice() {
  const { organization, administers } = useSigned();
  if (organization.isActive) return null;
  return (
    <div className="shell-notice">
      <Notice look="bad">
        <strong>{organization.name} is inactive.</strong> Every call is refused. The operator of this Bursar
        can reactivate it{administers ? REACTIVATED : "."}
      </Notice>
    </div>
  );
}

const REACTIVATED =
  "; a paid plan still ends after the month already paid for, unless an owner then chooses to stay with it under Billing.";

export function Shell({ session, children }: { session: SessionView; children: ReactNode }) {
  const [path] = useLocation();
  // The menu belongs to the page on which it was opened, so the next page closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  if (openedOn !== null && openedOn !== path) setOpenedOn(null);
  const isOpen = openedOn === path;
  const close = () => setOpenedOn(null);
  const { person, organization } = session;
  if (!person || !organization) return null;
  const menu = (
    <>
      <div className="spread">
        <Brand onChoose={close} />
        {isOpen && (
          <Button look="quiet" isIconOnly icon={<Icon name="x" />} onClick={close}>
            Close the menu
          </Button>
        )}
      </div>
      <OrganizationSwitch session={session} />
      <Navigation path={path} role={organization.role} onChoose={close} />
      <Help path={path} />
      <Foot person={person} onChoose={close} />
    </>
  );
  return (
    <SessionProvider value={{ ...session, person, organization }}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="shell">
        <header className="topbar">
          <Brand onChoose={close} />
          <Button
            look="quiet"
            isIconOnly
            icon={<Icon name="menu" />}
            aria-expanded={isOpen}
            onClick={() => setOpenedOn(path)}
          >
            Open the menu
          </Button>
        </header>
        {isOpen ? (
          <Modal className="sidebar" aria-label="Menu" onClose={close}>
            {menu}
          </Modal>
        ) : (
          <aside className="sidebar">{menu}</aside>
        )}
        <main className="main" id="main" tabIndex={-1}>
          <InactiveNotice />
          {children}
        </main>
      </div>
    </SessionProvider>
  );
}

/** A link to the current page changes no URL, so it has to close the menu itself. */
type Chosen = { onChoose(): void };

function Brand({ onChoose }: Chosen) {
  return (
    <Link href="/" className="brand" onClick={onChoose}>
      <BrandMark />
      Bursar
    </Link>
  );
}

function Navigation({ path, role, onChoose }: Chosen & { path: string; role: Role }) {
  const isShown = ({ isForAdmins, isForOwners }: (typeof NAV)[number]) =>
    role === "owner" || (!isForOwners && (role === "admin" || !isForAdmins));
  return (
    <nav className="nav" aria-label="Pages">
      {NAV.filter(isShown).map(({ path: to, label, icon }) => {
        const isHere = isPage(to, path);
        return (
          <Link
            key={to}
            href={to}
            aria-current={isHere ? "page" : undefined}
            onPointerEnter={() => beginPage(to)}
            onClick={onChoose}
          >
            <Icon name={icon} />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

function isPage(of: string, path: string): boolean {
  return of === "/" ? path === "/" : path === of || path.startsWith(`${of}/`);
}

/** In a window of their own, so that what was begun on the page stays. */
function Help({ path }: { path: string }) {
  const guide = NAV.find((entry) => isPage(entry.path, path))?.guide;
  return (
    <nav className="nav" aria-label="Help">
      <a href={guide ? `/docs/guides/${guide}` : "/docs/guides"} target="_blank" rel="noreferrer">
        <Icon name="book-open" />
        {guide ? "Guide to this page" : "Guides"}
      </a>
      <a href="/docs" target="_blank" rel="noreferrer">
        <Icon name="code" />
        API reference
      </a>
    </nav>
  );
}

function Foot({ person, onChoose }: Chosen & { person: NonNullable<SessionView["person"]> }) {
  // Refetches nothing: the next page does, but this one would take it for a session that ended unexpectedly.
  const signOut = useCommand("sign-out", []);
  return (
    <div className="sidebar-foot">
      <ThemeSwitch />
      <SignOutProblem error={signOut.error} />
      <div className="spread">
        <Link href="/account" className="who" onClick={onChoose}>
          <span dir="auto">
            <strong>{person.name}</strong>
          </span>
          <span className="dim">{person.email}</span>
        </Link>
        <Button
          look="quiet"
          isIconOnly
          icon={<Icon name="log-out" />}
          isBusy={signOut.isPending || signOut.isSuccess}
          onClick={() => askFirst(() => signOut.mutate({}, { onSuccess: () => location.assign("/console") }))}
        >
          Sign out
        </Button>
      </div>
    </div>
  );
}
