import type { Database } from "../../db/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { leaveFailure, loadUntoldFailures, takeFailure } from "./failure-store.ts";
import { expiryLetter, type Letter, lowBalanceLetter, paymentFailedLetter } from "./letters.ts";
import {
  type DueNotice,
  loadAdministrators,
  loadDueNotices,
  type NoticeThresholds,
  saveArmed,
  saveTold,
  saveUntold,
} from "./store.ts";

export type NoticeOptions = {
  readonly db: Database;
  readonly log: Log;
  readonly thresholds: NoticeThresholds;
  /** URL of the billing page, for the emails. */
  readonly billingUrl: string;
  /** refused: permanently. lost: a later attempt may succeed. */
  deliver(letter: Letter & { readonly to: string }): Promise<"taken" | "refused" | "lost">;
};

/** Emails to owners and admins about their credits; each is sent once. */
export type Notices = {
  /** Checks every account and every failed payment; run by the schedule, one node at a time. */
  tellDue(): Promise<void>;
  /** Sends at once what the next run would send. */
  tellPaymentFailed(orgId: string): Promise<void>;
};

type Told = { readonly orgId: string; readonly kind: DueNotice["kind"] | "payment_failed" };

/** Most notices per run; the next run continues. */
const MAX_DUE = 500;
/** More owners and admins than this would be a mistake, and a flood of emails. */
const MAX_RECIPIENTS = 20;

export function createNotices(options: NoticeOptions): Notices {
  const { db, log, thresholds, billingUrl } = options;

  /** False if nobody was reached but another attempt may succeed. */
  async function tell({ orgId, kind }: Told, letter: Letter): Promise<boolean> {
    const people = await loadAdministrators(db, orgId, MAX_RECIPIENTS);
    const delivered = await Promise.all(
      people.map(({ email }) => options.deliver({ ...letter, to: email }).catch(() => "lost")),
    );
    const isTold = delivered.includes("taken");
    if (!isTold && delivered.includes("lost")) return false;
    if (isTold) log.info("notice_sent", { org_id: orgId, kind });
    else log.warn("notice_reaches_nobody", { org_id: orgId, kind });
    return true;
  }

  async function tellOne(notice: DueNotice): Promise<void> {
    const letter = (notice.kind === "low_balance" ? lowBalanceLetter : expiryLetter)(notice, billingUrl);
    if (!(await saveTold(db, notice))) return;
    if (!(await tell(notice, letter))) await saveUntold(db, notice);
  }

  async function tellPaymentFailed(orgId: string): Promise<void> {
    const failure = await takeFailure(db, orgId);
    if (!failure) return;
    const letter = paymentFailedLetter(failure, billingUrl);
    await leaveFailure(db, failure, await tell({ orgId, kind: "payment_failed" }, letter));
  }

  return {
    async tellDue() {
      await saveArmed(db, thresholds);
      const due = await loadDueNotices(db, thresholds, MAX_DUE);
      const failures = await loadUntoldFailures(db, MAX_DUE);
      // Waits for every email even if one fails: the next run must not overlap with emails still being sent.
      const told = await Promise.allSettled([...due.map(tellOne), ...failures.map(tellPaymentFailed)]);
      const failure = told.find(({ status }) => status === "rejected");
      if (failure?.status === "rejected") throw failure.reason;
    },
    tellPaymentFailed,
  };
}
