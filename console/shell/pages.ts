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
  /** Not shown to members: the gateway would refuse them anyway. */
  readonly isForAdmins?: boolean;
};

export const NAV: readonly NavEntry[] = [
  { path: "/", label: "Overview", icon: LayoutDashboard },
  { path: "/playground", label: "Playground", icon: Sparkles },
  { path: "/library", label: "Library", icon: Images },
  { path: "/usage", label: "Usage", icon: ChartColumn },
  { path: "/models", label: "Models", icon: Shapes },
  { path: "/keys", label: "API keys", icon: KeyRound, isForAdmins: true },
  { path: "/members", label: "Members", icon: Users, isForAdmins: true },
  { path: "/billing", label: "Billing", icon: CreditCard },
  { path: "/settings", label: "Settings", icon: Settings, isForAdmins: true },
];
