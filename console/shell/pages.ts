import {
  ChartColumn,
  CreditCard,
  Images,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Settings,
  Shapes,
  Sparkles,
  Users,
} from "lucide-react";

type NavEntry = {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Address of its guide below `/docs/guides/`. */
  readonly guide?: string;
  /** Not shown to members: the gateway would refuse them anyway. */
  readonly isForAdmins?: boolean;
};

export const NAV: readonly NavEntry[] = [
  { path: "/", label: "Overview", icon: LayoutDashboard, guide: "clients" },
  { path: "/playground", label: "Playground", icon: Sparkles, guide: "media" },
  { path: "/library", label: "Library", icon: Images, guide: "media#the-library" },
  { path: "/usage", label: "Usage", icon: ChartColumn, guide: "billing#checking-a-charge" },
  { path: "/models", label: "Models", icon: Shapes, guide: "models" },
  { path: "/keys", label: "API keys", icon: KeyRound, guide: "clients#sdks", isForAdmins: true },
  { path: "/members", label: "Members", icon: Users, isForAdmins: true },
  { path: "/billing", label: "Billing", icon: CreditCard, guide: "billing" },
  { path: "/settings", label: "Settings", icon: Settings, guide: "efficiency", isForAdmins: true },
];
