import type { ReactNode } from "react";

/** A name and its value; facts with false or null are left out. */
export type Fact = readonly [string, ReactNode];

export function Facts({ title, facts }: { title?: string; facts: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== false && value !== null);
  return (
    <section className="facts">
      {title && <h3>{title}</h3>}
      <dl>
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
