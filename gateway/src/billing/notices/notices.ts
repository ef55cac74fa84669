import type { Database } from "../../db/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { type Email, expiryEmail, lowBalanceEmail, paymentFailedEmail } from "./emails.ts";
import { leaveFailure, loadUnsentFailures, takeFailure } from "./failure-store.ts";
import {
  type DueNotice,
  loadAdministrators,
  loadDueNotices,
  type NoticeThresholds,
  saveArmed,
  saveSent,
  saveUnsent,
} from "./store.ts";

export type NoticeOptions = {
  readonly db: Database;
  readonly log: Log;
  readonly thresholds: NoticeThresholds;
  /** URL of the billing page, for the emails. */
  readonly billingUrl: string;
  /** refused: permanently. lost: a later attempt may succeed. */
  deliver(message: Email & { readonly to: string }): Promise<"taken" | "refused" | "lost">;
};

/** Emails to owners and admins about their credits; each is sent once. */
export type Notices = {
  /** Checks every account and every failed payment; run by the schedule, one node at a time. */
  sendDue(): Promise<void>;
  /** Sends at once what the next run would send. */
  sendPaymentFailed(orgId: string): Promise<void>;
};

type Notice = { readonly orgId: string; readonly kind: DueNotice["kind"] | "payment_failed" };

/** Most notices per run; the next run continues. */
const MAX_DUE = 500;
/** More owners and admins than this would be a mistake, and a flood of emails. */
const MAX_RECIPIENTS = 20;

export function createNotices(options: NoticeOptions): Notices {
  const { db, log, thresholds, billingUrl } = options;

  /** False if nobody was reached but another attempt may succeed. */
  async function send({ orgId, kind }: Notice, message: Email): Promise<boolean> {
    const people = await loadAdministrators(db, orgId, MAX_RECIPIENTS);
    const delivered = await Promise.all(
      people.map(({ email }) => options.deliver({ ...message, to: email }).catch(() => "lost")),
    );
    const isSent = delivered.includes("taken");
    if (!isSent && delivered.includes("lost")) return false;
    if (isSent) log.info("notice_sent", { org_id: orgId, kind });
    else log.warn("notice_reaches_nobody", { org_id: orgId, kind });
    return true;
  }

  async function sendOne(notice: DueNotice): Promise<void> {
    const message = (notice.kind === "low_balance" ? lowBalanceEmail : expiryEmail)(notice, billingUrl);
    if (!(await saveSent(db, notice))) return;
    if (!(await send(notice, message))) await saveUnsent(db, notice);
  }

  async function sendPaymentFailed(orgId: string): Promise<void> {
    const failure = await takeFailure(db, orgId);
    if (!failure) return;
    const message = paymentFailedEmail(failure, billingUrl);
    await leaveFailure(db, failure, await send({ orgId, kind: "payment_failed" }, message));
  }

  return {
    async sendDue() {
      await saveArmed(db, thresholds);
      const due = await loadDueNotices(db, thresholds, MAX_DUE);
      const failures = await loadUnsentFailures(db, MAX_DUE);
      // Waits for every email even if one fails: the next run must not overlap with emails still being sent.
      const sent = await Promise.allSettled([...due.map(sendOne), ...failures.map(sendPaymentFailed)]);
      const failure = sent.find(({ status }) => status === "rejected");
      if (failure?.status === "rejected") throw failure.reason;
    },
    sendPaymentFailed,
  };
}
