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
  /** The billing page's address, for the letters. */
  readonly billingUrl: string;
  /** Refused: for good. Lost: it may arrive another time. */
  deliver(letter: Letter & { readonly to: string }): Promise<"taken" | "refused" | "lost">;
};

/** Letters to owners and admins about their credits; each once. */
export type Notices = {
  /** Looks at every account and at payments that failed; for a schedule, one node at a time. */
  tellDue(): Promise<void>;
  /** At once what the next run would tell. */
  tellPaymentFailed(orgId: string): Promise<void>;
};

type Told = { readonly orgId: string; readonly kind: DueNotice["kind"] | "payment_failed" };

/** Of one run; the next one goes on. */
const MAX_DUE = 500;
/** More people than that in charge of one purse would be a mistake, and a flood of letters. */
const MAX_RECIPIENTS = 20;

export function createNotices(options: NoticeOptions): Notices {
  const { db, log, thresholds, billingUrl } = options;

  /** False where another try may reach somebody, and nobody was reached so far. */
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
      // The run is over when the last letter is: who comes next would find others still at it.
      const told = await Promise.allSettled([...due.map(tellOne), ...failures.map(tellPaymentFailed)]);
      const failure = told.find(({ status }) => status === "rejected");
      if (failure?.status === "rejected") throw failure.reason;
    },
    tellPaymentFailed,
  };
}
