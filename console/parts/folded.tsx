import type { ReactNode } from "react";

/** What few need. Opens by itself when something inside of it is wrong: a form that will not go off must show why. */
export function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details
      className="more"
      onInvalidCapture={(event) => {
        event.currentTarget.open = true;
      }}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}
