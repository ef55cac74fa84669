import type { ReactNode } from "react";

type CardProps = {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  /** No padding: tables reach the card's edges. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
};

export function Card({ title, actions, isFlush = false, children }: CardProps) {
  return (
    <section className="card">
      {(title || actions) && (
        <div className="card-head">
          {title && <h2 tabIndex={-1}>{title}</h2>}
          {actions && <div className="card-actions">{actions}</div>}
        </div>
      )}
      <div className={isFlush ? "card-body flush" : "card-body"}>{children}</div>
    </section>
  );
}

/** A figure with its name and a note. */
export function Stat({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="card stat">
      <span className="stat-name">{name}</span>
      <span className="stat-value">{value}</span>
      {note && <span className="stat-note">{note}</span>}
    </div>
  );
}
