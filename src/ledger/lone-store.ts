import { type Database, numberFields } from "../db/index.ts";
import { creditsFromSql } from "../kit/index.ts";
import type { Settled, Settlement } from "./settlement.ts";

const SETTLE_ONE =
  "select ledger_settle_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) as answer";

/**
 * Charges a call whose hold is as it was made; null where there is more to it, and then nothing was written.
 * Large numbers go as text: of their own types the driver would prepare the statement anew for every mix.
 */
export async function settleOne(db: Database, settlement: Settlement): Promise<Settled | null> {
  const rows = await db
    .lane("settle")
    .query<{ answer: string }>(SETTLE_ONE, [
      settlement.orgId,
      settlement.requestId,
      String(settlement.cost),
      settlement.status,
      settlement.keyId,
      settlement.memberUserId,
      settlement.endpoint,
      settlement.model,
      String(settlement.inputTokens),
      String(settlement.outputTokens),
      String(settlement.tokensSaved),
      settlement.latencyMs,
      settlement.errorCode,
      settlement.priceRuleId,
      settlement.target,
    ]);
  const [subscription = "", anytime = "", writtenOff = "", subscriptionAfter = "", anytimeAfter = ""] =
    numberFields(rows[0]?.answer ?? "");
  if (subscription === "") return null;
  return {
    outcome: "settled",
    chargedSubscription: creditsFromSql(subscription),
    chargedAnytime: creditsFromSql(anytime),
    writtenOff: creditsFromSql(writtenOff),
    subscriptionAfter: creditsFromSql(subscriptionAfter),
    anytimeAfter: creditsFromSql(anytimeAfter),
  };
}
