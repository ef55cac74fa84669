import { BookOpen, Code, LogOut, Menu, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import type { SessionView } from "../../gateway/src/http/console/contract.ts";
import { SessionProvider } from "../api/session.ts";
import { useCommand } from "../api/use-ask.ts";
import { beginPage } from "../pages/later-pages.tsx";
import { Button } from "../parts/button.tsx";
import { askFirst } from "../parts/leaving.ts";
import { Modal } from "../parts/modal.tsx";
import { SignOutProblem } from "../parts/sign-out-problem.tsx";
import { BrandMark } from "./brand.tsx";
import { InactiveNotice } from "./inactive-notice.tsx";
import { OrganizationSwitch } from "./organization-switch.tsx";
import { NAV } from "./pages.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

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
          <Button look="quiet" isIconOnly icon={<X aria-hidden />} onClick={close}>
            Close the menu
          </Button>
        )}
      </div>
      <OrganizationSwitch session={session} />
      <Navigation path={path} administers={organization.role !== "member"} onChoose={close} />
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
            icon={<Menu aria-hidden />}
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

function Navigation({ path, administers, onChoose }: Chosen & { path: string; administers: boolean }) {
  return (
    <nav className="nav" aria-label="Pages">
      {NAV.filter((entry) => administers || !entry.isForAdmins).map(({ path: to, label, icon: Icon }) => {
        const isHere = isPage(to, path);
        return (
          <Link
            key={to}
            href={to}
            aria-current={isHere ? "page" : undefined}
            onPointerEnter={() => beginPage(to)}
            onClick={onChoose}
          >
            <Icon aria-hidden />
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
        <BookOpen aria-hidden />
        {guide ? "Guide to this page" : "Guides"}
      </a>
      <a href="/docs" target="_blank" rel="noreferrer">
        <Code aria-hidden />
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
          icon={<LogOut aria-hidden />}
          isBusy={signOut.isPending || signOut.isSuccess}
          onClick={() => askFirst(() => signOut.mutate({}, { onSuccess: () => location.assign("/console") }))}
        >
          Sign out
        </Button>
      </div>
    </div>
  );
}
