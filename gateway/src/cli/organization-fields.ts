import type { PaidSubscription, PlanPeriod } from "../billing/index.ts";
import type { OrganizationRecord } from "../identity/index.ts";
import type { Account } from "../ledger/index.ts";
import { creditsText, momentText } from "./wording.ts";

/** How an organization, its balance and a plan's first credits are written, as JSON and as text. */

export function organizationJson(organization: OrganizationRecord): Record<string, unknown> {
  return {
    id: organization.id,
    slug: organization.slug,
    name: organization.name,
    plan: organization.plan,
    active: organization.active,
    efficiency: organization.efficiency,
    created_at: organization.createdAt.toISOString(),
  };
}

export function organizationText(organization: OrganizationRecord): [string, string][] {
  return [
    ["id", organization.id],
    ["slug", organization.slug],
    ["plan", organization.plan],
    ["active", organization.active ? "yes" : "no"],
    ["efficiency", organization.efficiency],
  ];
}

export function grantedJson(period: PlanPeriod | null): Record<string, unknown> {
  return {
    granted_credits: period?.credits ?? 0,
    credits_expire_at: period?.expiresAt.toISOString() ?? null,
  };
}

export function grantedText(period: PlanPeriod | null): string {
  if (!period) return "";
  return `\n\nIts plan brought ${creditsText(period.credits)}, valid until ${momentText(period.expiresAt)}.`;
}

export function paidPlanJson(paid: PaidSubscription | undefined): Record<string, unknown> {
  return { paid_plan: paid?.plan ?? null, paid_plan_ends_at: paid?.endsAt?.toISOString() ?? null };
}

/** Deactivation ends a paid plan; activation does not undo that by itself. */
export function paidPlanText({ active }: OrganizationRecord, paid: PaidSubscription | undefined): string {
  if (!paid || (active && paid.endsAt === null)) return "";
  const end = paid.endsAt === null ? "with the month that was paid" : `on ${momentText(paid.endsAt)}`;
  const stay = active ? " An owner can choose to stay with it under Billing." : "";
  return `\n\nThe ${paid.plan} plan, which is paid through Stripe, ends ${end}.${stay}`;
}

export function accountJson(account: Account): Record<string, unknown> {
  return {
    subscription_credits: account.subscriptionAvailable,
    anytime_credits: account.anytimeAvailable,
    total_credits: account.subscriptionAvailable + account.anytimeAvailable,
    held_credits: account.subscriptionHeld + account.anytimeHeld,
    subscription_credits_expire_at: account.period?.endsAt.toISOString() ?? null,
  };
}

export function accountText(account: Account): string {
  const until = account.period ? `, valid until ${momentText(account.period.endsAt)}` : "";
  return [
    `  subscription  ${creditsText(account.subscriptionAvailable)}${until}`,
    `  anytime       ${creditsText(account.anytimeAvailable)}`,
  ].join("\n");
}
