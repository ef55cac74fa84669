import type { ApiKey } from "../../identity/index.ts";
import type { BalanceView, DayUsage } from "../../usage/index.ts";
import { connectCard } from "./connect-card.ts";
import { formatDay, formatNumber } from "./format.ts";
import { type Html, html } from "./html.ts";
import { keysCard } from "./keys-card.ts";
import { layout } from "./layout.ts";
import type { ConsoleConfig } from "./parts.ts";
import { spendChart } from "./spend-chart.ts";
import type { Viewer } from "./viewer.ts";

export type Spend = {
  readonly whose: "organization" | "person";
  readonly today: number;
  readonly total: number;
  readonly requests: number;
  /** Null where only the whole organization's is known. */
  readonly saved: { readonly tokens: number; readonly credits: number } | null;
  readonly byDay: readonly DayUsage[];
};

export type OverviewPage = {
  viewer: Viewer;
  balance: BalanceView["balance"];
  spend: Spend;
  /** Null for who may not see them. */
  keys: readonly ApiKey[] | null;
  config: ConsoleConfig;
  mayChoosePassword: boolean;
  nowMs: number;
};

export function overviewPage({
  viewer,
  balance,
  spend,
  keys,
  config,
  mayChoosePassword,
  nowMs,
}: OverviewPage): Html {
  const { organization, role, bar } = viewer;
  return layout({
    title: organization.name,
    bar,
    content: html`<div class="heading">
<h1>${organization.name}</h1>
<p class="dim">You are ${role === "member" ? "a" : "an"} ${role} · ${organization.plan} plan</p>
</div>
${!organization.active && html`<p class="notice">This organization is inactive: calls with its keys are refused until whoever runs Bursar makes it active again.</p>`}
${mayChoosePassword && html`<p class="notice">Your link also lets you <a href="/console/password">choose a password</a>, for 15 minutes.</p>`}
<div class="cards">
${creditsCard(balance)}
${spendCard(spend)}
</div>
${connectCard(config)}
${
  keys === null
    ? html`<p>For an API key, ask an owner or an admin of ${organization.name}.</p>`
    : keysCard({ keys, slug: organization.slug, nowMs })
}
<footer class="foot"><a href="/docs">API reference</a> <a href="/openapi.json">OpenAPI document</a></footer>`,
  });
}

function creditsCard(balance: BalanceView["balance"]): Html {
  const expiresAt = balance.subscription_credits_expire_at;
  const expiry = expiresAt === null ? "no open period" : `expire on ${formatDay(new Date(expiresAt))}`;
  return html`<section class="card">
<h2>Credits</h2>
<p class="figure">${formatNumber(balance.total_credits)}</p>
<p class="dim">to spend now</p>
<dl class="facts">
<div><dt>Subscription <span class="dim">${expiry}</span></dt><dd>${formatNumber(balance.subscription_credits)}</dd></div>
<div><dt>Anytime <span class="dim">never expire</span></dt><dd>${formatNumber(balance.anytime_credits)}</dd></div>
<div><dt>Held <span class="dim">by calls that run now</span></dt><dd>${formatNumber(balance.held_credits)}</dd></div>
</dl>
</section>`;
}

function spendCard(spend: Spend): Html {
  return html`<section class="card">
<h2>${spend.whose === "person" ? "Your spend" : "Spend"}</h2>
<p class="figure">${formatNumber(spend.today)}</p>
<p class="dim">credits today (UTC)</p>
${spend.total > 0 && spend.byDay.length > 0 && spendChart(spend.byDay)}
<dl class="facts">
<div><dt>Last 30 days</dt><dd>${formatNumber(spend.total)}</dd></div>
<div><dt>Requests</dt><dd>${formatNumber(spend.requests)}</dd></div>
${spend.saved !== null && savedTokens(spend.saved)}
</dl>
</section>`;
}

/** Cached tokens cost less than the input rate says, and some calls their price per request: hence "up to". */
function savedTokens({ tokens, credits }: NonNullable<Spend["saved"]>): Html {
  const worth =
    credits === 0 ? "by compaction" : `by compaction, worth up to ${formatNumber(credits)} credits`;
  return html`<div><dt>Tokens saved <span class="dim">${worth}</span></dt><dd>${formatNumber(tokens)}</dd></div>`;
}
