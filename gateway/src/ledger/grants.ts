import type { Database } from "../db/index.ts";
import { type CreditDelta, type Credits, failpoint, newId } from "../kit/index.ts";
import type { Account, Pool } from "./account.ts";
import { saveAdjustment, saveGrant, saveRenewal } from "./store.ts";

export type GrantOutcome = {
  /**
   * granted: added now. repeat: this reference was granted before. conflict: it was granted with another amount or
   * pool. period_differs: the open period ends at another time than requested. already_expired: no period is open, and
   * `expiresAt` is null or in the past.
   */
  readonly outcome: "granted" | "repeat" | "conflict" | "period_differs" | "already_expired";
  readonly grantId: string;
  readonly account: Account;
};

/** The caller may choose the id and, if the reply was lost, send it again: the ledger applies each id once. */
type Askable = { readonly id?: string };

export type Grant = Askable & {
  readonly orgId: string;
  readonly pool: Pool;
  readonly amount: Credits;
  /** Makes the grant idempotent: the order's reference, or one chosen by the operator. */
  readonly reference: string | null;
  /** End of the period that a subscription grant opens; null adds to the period that is open. */
  readonly expiresAt: Date | null;
  readonly kind: "pack" | "manual";
  readonly description: string;
};

export async function grant(db: Database, input: Grant): Promise<GrantOutcome> {
  const { id = newId() } = input;
  const saved = await saveGrant(db, { ...input, id });
  await failpoint("grant_after_commit");
  const isOwn = saved.outcome === "repeat" && saved.grantId === id;
  return { ...saved, outcome: isOwn ? "granted" : (saved.outcome as GrantOutcome["outcome"]) };
}

export type Renewal = {
  readonly orgId: string;
  readonly amount: Credits;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly reference: string | null;
  readonly description: string;
  /** If set, renews only if the organization's scheduled plan started at this time. */
  readonly planSince?: Date;
};

export type RenewalOutcome = {
  /**
   * early: the period has not begun. over: it has already ended. stale: a later one is open. changed: the organization
   * has another plan by now.
   */
  readonly outcome: "renewed" | "repeat" | "early" | "over" | "stale" | "changed";
  readonly account: Account;
};

export async function renew(db: Database, input: Renewal): Promise<RenewalOutcome> {
  const saved = await saveRenewal(db, { ...input, id: newId() });
  await failpoint("grant_after_commit");
  return { ...saved, outcome: saved.outcome as RenewalOutcome["outcome"] };
}

export type Adjustment = Askable & {
  readonly orgId: string;
  readonly pool: Pool;
  readonly amount: CreditDelta;
  readonly description: string;
};

export type AdjustmentOutcome = {
  readonly outcome: "adjusted" | "insufficient" | "no_open_period";
  readonly account: Account;
  /** The correction's entry, as the balance view names it; the newest existing entry if nothing was corrected. */
  readonly entryId: string;
  /** How much of the added credits went into paying off debt. */
  readonly debtPaid: Credits;
};

export async function adjust(db: Database, input: Adjustment): Promise<AdjustmentOutcome> {
  const saved = await saveAdjustment(db, { ...input, id: input.id ?? newId() });
  const isOwn = saved.outcome === "repeat";
  return { ...saved, outcome: isOwn ? "adjusted" : (saved.outcome as AdjustmentOutcome["outcome"]) };
}
