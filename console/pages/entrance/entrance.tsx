import type { ReactNode } from "react";
import { BrandMark } from "../../parts/brand.tsx";
import { useTitle } from "../../parts/page.tsx";

/** The frame of every page before the sign-in. */
export function Door({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <main className="door">
      <div className="door-card">
        <span className="brand">
          <BrandMark />
          Bursar
        </span>
        <div className="card stack">
          <div className="stack">
            <h1>{title}</h1>
            {about && <p className="dim">{about}</p>}
          </div>
          {children}
        </div>
      </div>
    </main>
  );
}
