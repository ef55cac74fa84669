import type { Database } from "../db/index.ts";
import { type CreditDelta, type Credits, failpoint, newId } from "../kit/index.ts";
import type { Account, Pool } from "./account.ts";
import { saveAdjustment, saveGrant, saveRenewal } from "./store.ts";

export type GrantOutcome = {
  /**
   * granted: added now. repeat: this reference had been granted before. conflict: the reference stands for
   * another amount or pool. period_differs: the open period ends at another time than asked.
   * already_expired: the period would have ended before it began.
   */
  readonly outcome: "granted" | "repeat" | "conflict" | "period_differs" | "already_expired";
  readonly grantId: string;
  readonly account: Account;
};

/** Of an id that its caller has made, so as to ask again under it where the answer was lost: the ledger does it once. */
type Askable = { readonly id?: string };

export type Grant = Askable & {
  readonly orgId: string;
  readonly pool: Pool;
  readonly amount: Credits;
  /** Makes the grant repeat-safe: a payment's or an operator's own word for it. */
  readonly reference: string | null;
  /** Of a subscription grant that opens a period; null joins the open one. */
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
  /** Only while the organization has the scheduled plan that it has had since then. */
  readonly planSince?: Date;
};

export type RenewalOutcome = {
  /**
   * early: the period has not begun. over: it has ended already. stale: a later one is open. changed: the
   * organization has another plan.
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
  /** The correction's, as the balance view names it; the newest before it where nothing was corrected. */
  readonly entryId: string;
  /** Of what was added. */
  readonly debtPaid: Credits;
};

export async function adjust(db: Database, input: Adjustment): Promise<AdjustmentOutcome> {
  const saved = await saveAdjustment(db, { ...input, id: input.id ?? newId() });
  const isOwn = saved.outcome === "repeat";
  return { ...saved, outcome: isOwn ? "adjusted" : (saved.outcome as AdjustmentOutcome["outcome"]) };
}
