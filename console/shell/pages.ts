import type { IconName } from "../parts/icons/icon.tsx";

type NavEntry = {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** Address of its guide below `/docs/guides/`. */
  readonly guide?: string;
  /** Not shown to members: the gateway would refuse them anyway. */
  readonly isForAdmins?: boolean;
  readonly isForOwners?: boolean;
};

export const NAV: readonly NavEntry[] = [
  { path: "/", label: "Overview", icon: "layout-dashboard", guide: "clients" },
  { path: "/playground", label: "Playground", icon: "sparkles", guide: "media" },
  { path: "/library", label: "Library", icon: "images", guide: "media#the-library" },
  { path: "/usage", label: "Usage", icon: "chart-column", guide: "billing#checking-a-charge" },
  { path: "/models", label: "Models", icon: "shapes", guide: "models" },
  { path: "/keys", label: "API keys", icon: "key-round", guide: "clients#sdks", isForAdmins: true },
  { path: "/webhooks", label: "Webhooks", icon: "webhook", guide: "webhooks", isForAdmins: true },
  { path: "/members", label: "Members", icon: "users", isForAdmins: true },
  { path: "/billing", label: "Billing", icon: "credit-card", guide: "billing" },
  { path: "/settings", label: "Settings", icon: "settings", guide: "efficiency", isForAdmins: true },
  { path: "/audit", label: "Audit log", icon: "scroll-text", guide: "manage#audit-log", isForOwners: true },
];
