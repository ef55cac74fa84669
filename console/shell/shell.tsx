import { LogOut, Menu, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import type { SessionView } from "../../src/http/console/contract.ts";
import { SessionProvider } from "../api/session.ts";
import { useCommand } from "../api/use-ask.ts";
import { Button } from "../parts/button.tsx";
import { BrandMark } from "./brand.tsx";
import { OrganizationSwitch } from "./organization-switch.tsx";
import { NAV } from "./pages.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

export function Shell({ session, children }: { session: SessionView; children: ReactNode }) {
  const [path] = useLocation();
  // The menu belongs to the page that it was opened on, so the next page closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const isOpen = openedOn === path;
  const { person, organization } = session;
  if (!person || !organization) return null;
  return (
    <SessionProvider value={{ ...session, person, organization }}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="shell">
        <header className="topbar">
          <Brand />
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
        <div className={isOpen ? "sidebar open" : "sidebar"}>
          <div className="spread">
            <Brand />
            {isOpen && (
              <Button look="quiet" isIconOnly icon={<X aria-hidden />} onClick={() => setOpenedOn(null)}>
                Close the menu
              </Button>
            )}
          </div>
          <OrganizationSwitch session={session} />
          <Navigation path={path} administers={organization.role !== "member"} />
          <Foot person={person} />
        </div>
        <main className="main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </SessionProvider>
  );
}

function Brand() {
  return (
    <Link href="/" className="brand">
      <BrandMark />
      Bursar
    </Link>
  );
}

function Navigation({ path, administers }: { path: string; administers: boolean }) {
  return (
    <nav className="nav" aria-label="Pages">
      {NAV.filter((entry) => administers || !entry.isForAdmins).map(({ path: to, label, icon: Icon }) => {
        const isHere = to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`);
        return (
          <Link key={to} href={to} aria-current={isHere ? "page" : undefined}>
            <Icon aria-hidden />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

function Foot({ person }: { person: NonNullable<SessionView["person"]> }) {
  const signOut = useCommand("sign-out", ["session"]);
  return (
    <div className="sidebar-foot">
      <ThemeSwitch />
      <div className="spread">
        <Link href="/account" className="who">
          <span>
            <strong>{person.name}</strong>
          </span>
          <span className="dim">{person.email}</span>
        </Link>
        <Button
          look="quiet"
          isIconOnly
          icon={<LogOut aria-hidden />}
          isBusy={signOut.isPending}
          onClick={() => signOut.mutate({}, { onSuccess: () => location.assign("/console") })}
        >
          Sign out
        </Button>
      </div>
    </div>
  );
}
