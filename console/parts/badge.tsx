import type { ReactNode } from "react";

export type BadgeLook = "plain" | "good" | "bad" | "warn" | "info";

export function Badge({ look = "plain", children }: { look?: BadgeLook; children: ReactNode }) {
  return <span className={`badge ${look}`}>{children}</span>;
}
