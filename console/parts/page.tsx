import { type ReactNode, useEffect } from "react";

export type PageProps = {
  readonly title: string;
  /** Which of its parts is shown, for the title of the window. */
  readonly tab?: string | undefined;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Page({ title, tab, about, actions, children }: PageProps) {
  useTitle(tab ? `${tab} · ${title}` : title);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {about && <p dir="auto">{about}</p>}
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
