import { type ReactNode, useEffect } from "react";
import { useSigned } from "../api/session.ts";
import { day } from "./format.ts";

type PageProps = {
  readonly title: string;
  /** The tab that is shown, for the window's title. */
  readonly tab?: string | undefined;
  readonly about?: ReactNode;
  /** The chosen filters, for printed pages. */
  readonly chosen?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Page({ title, tab, about, chosen, actions, children }: PageProps) {
  const { organization } = useSigned();
  const whose = about === organization.name ? undefined : organization.name;
  useTitle(tab ? `${tab} · ${title}` : title);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {about && <p dir="auto">{about}</p>}
          <p dir="auto" className="on-paper">
            {[whose, chosen, day(new Date().toISOString())].filter(Boolean).join(" · ")}
          </p>
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Bursar`;
  }, [title]);
}
