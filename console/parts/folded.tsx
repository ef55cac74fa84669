import type { ReactNode } from "react";

/** For rarely needed fields. Opens by itself if one of them is invalid: a form that cannot be sent must show why. */
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
