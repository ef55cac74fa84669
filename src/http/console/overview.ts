import type { Session } from "./accounts-session.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";
import { overviewPage, type Spend } from "./overview-page.ts";
import type { ConsoleParts } from "./parts.ts";
import { pageReply, type Reply } from "./reply.ts";
import type { Route } from "./route.ts";
import { showSignIn } from "./sign-in.ts";
import { barWithoutOrganization, resolveViewer, type Viewer } from "./viewer.ts";

export function overviewRoute(parts: ConsoleParts): Route {
  return {
    path: /^\/console\/?$/,
    async show(ask) {
      const session = await ask.session();
      if (!session) return showSignIn(parts, ask);
      const viewer = await resolveViewer(parts, session);
      if (!viewer) return showNobody(parts, session);
      return showOverview(parts, viewer, parts.tickets.holds(ask, session));
    },
  };
}

/** Signed in, but removed from every organization. */
export function showNobody(parts: ConsoleParts, session: Session): Reply {
  return pageReply(
    layout({
      title: "No organization",
      bar: barWithoutOrganization(parts, session),
      narrow: true,
      content: html`<section class="card"><h1>No organization</h1>
<p>You belong to no organization at the moment. Ask an owner or an admin of yours to add you.</p></section>`,
    }),
  );
}

async function showOverview(parts: ConsoleParts, viewer: Viewer, mayChoosePassword: boolean): Promise<Reply> {
  const { config, clock, identity, usage } = parts;
  const { organization } = viewer;
  // Members see their own spend, and no keys.
  const administers = viewer.role !== "member";
  const [{ balance }, spend, keys] = await Promise.all([
    usage.balanceView(organization, { limit: 1 }),
    administers ? organizationSpend(parts, viewer) : ownSpend(parts, viewer),
    administers ? identity.keys.list(organization.id) : null,
  ]);
  const page = { viewer, balance, spend, keys, config, mayChoosePassword, nowMs: clock.nowMs() };
  return pageReply(overviewPage(page));
}

const DAYS = 30;

async function organizationSpend({ usage }: ConsoleParts, { organization }: Viewer): Promise<Spend> {
  const [{ summary }, creditsSaved] = await Promise.all([
    usage.usageView(organization, { days: DAYS, limit: 1 }),
    usage.creditsSaved(organization, { days: DAYS }),
  ]);
  return {
    whose: "organization",
    today: summary.by_day.at(-1)?.credits_charged ?? 0,
    total: summary.credits_charged,
    requests: summary.requests,
    saved: { tokens: summary.tokens_saved, credits: creditsSaved },
    byDay: summary.by_day,
  };
}

async function ownSpend({ usage }: ConsoleParts, { organization, session }: Viewer): Promise<Spend> {
  const [month, today] = await Promise.all([
    usage.usageView(organization, { days: DAYS, limit: 1 }),
    usage.usageView(organization, { days: 1, limit: 1 }),
  ]);
  const ofMonth = month.by_member.find((row) => row.member_user_id === session.userId);
  const ofToday = today.by_member.find((row) => row.member_user_id === session.userId);
  return {
    whose: "person",
    today: ofToday?.credits_charged ?? 0,
    total: ofMonth?.credits_charged ?? 0,
    requests: ofMonth?.requests ?? 0,
    saved: null,
    byDay: [],
  };
}
