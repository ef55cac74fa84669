import type { Settlement } from "./settlement.ts";

/**
 * The arguments of every SQL function that settles one call, in order. Large numbers are passed as text: with their own
 * types the driver would prepare the statement again for every combination of types.
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
    settlement.reason,
  ];
}
