import type { Settlement } from "./settlement.ts";

/**
 * What every function that settles one call takes, in its order. Large numbers go as text: of their own types the
 * driver would prepare the statement anew for every mix.
 */
export function settlementValues(settlement: Settlement): (string | number | null)[] {
  return [
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
    settlement.measured,
  ];
}
