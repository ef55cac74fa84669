import { loadLater } from "../parts/load-later.tsx";
import { Skeleton } from "../parts/states.tsx";

const WAITING = (
  <div className="page" role="status" aria-label="Loading">
    <Skeleton height={30} width={220} />
    <Skeleton height={180} />
  </div>
);

const OverviewPage = loadLater(() => import("./overview/overview.tsx").then((m) => m.OverviewPage), WAITING);
const UsagePage = loadLater(() => import("./usage/usage.tsx").then((m) => m.UsagePage), WAITING);
const KeysPage = loadLater(() => import("./keys/keys.tsx").then((m) => m.KeysPage), WAITING);
const WebhooksPage = loadLater(() => import("./webhooks/webhooks.tsx").then((m) => m.WebhooksPage), WAITING);
const MembersPage = loadLater(() => import("./members/members.tsx").then((m) => m.MembersPage), WAITING);
const ModelsPage = loadLater(() => import("./models/models.tsx").then((m) => m.ModelsPage), WAITING);
const LibraryPage = loadLater(() => import("./library/library.tsx").then((m) => m.LibraryPage), WAITING);
const BillingPage = loadLater(() => import("./billing/billing.tsx").then((m) => m.BillingPage), WAITING);
const SettingsPage = loadLater(() => import("./settings/settings.tsx").then((m) => m.SettingsPage), WAITING);
const AuditPage = loadLater(() => import("./audit/audit.tsx").then((m) => m.AuditPage), WAITING);
const AccountPage = loadLater(() => import("./account/account.tsx").then((m) => m.AccountPage), WAITING);

/** Has no route: once opened it stays mounted. */
export const PlaygroundPage = loadLater(
  () => import("./playground/playground.tsx").then((m) => m.PlaygroundPage),
  WAITING,
);

/** Every other page behind the sign-in, by its route. Their code is loaded when first needed. */
export const PAGES = [
  { path: "/", Page: OverviewPage },
  { path: "/usage/:requestId?", Page: UsagePage },
  { path: "/keys", Page: KeysPage },
  { path: "/webhooks", Page: WebhooksPage },
  { path: "/members", Page: MembersPage },
  { path: "/models", Page: ModelsPage },
  { path: "/library/:assetId?", Page: LibraryPage },
  { path: "/billing", Page: BillingPage },
  { path: "/billing/checkout/:id", Page: BillingPage },
  { path: "/settings", Page: SettingsPage },
  { path: "/audit", Page: AuditPage },
  { path: "/account", Page: AccountPage },
] as const;

/**
 * Called before the session is fetched: the page that was asked for is needed next, and its code is the same for
 * everybody.
 */
export function beginFirstPage(path: string): void {
  pageAt(path)?.begin({ isProbed: false });
}

/** Called when a user points at a link: most will choose it. */
export function beginPage(path: string): void {
  pageAt(path)?.begin();
}

function pageAt(path: string) {
  const name = nameOf(path);
  return name === "playground" ? PlaygroundPage : PAGES.find((page) => nameOf(page.path) === name)?.Page;
}

/** `/usage/123` is a path of the page `usage`. */
function nameOf(path: string): string | undefined {
  return path.split("/")[1];
}
