import { z } from "zod";
import type { ChatOutcome, Paid } from "../generation/index.ts";
import { paymentShape } from "./payment.ts";

/** What every reply to a paid chat call ends with, on both interfaces. */
export function encodeCharge({ outcome, balance, creditsCharged }: Paid<ChatOutcome>) {
  const { efficiency } = outcome;
  return {
    credits_charged: creditsCharged,
    balance: { subscription: balance.subscription, anytime: balance.anytime },
    efficiency: {
      original_estimated_tokens: efficiency.originalEstimatedTokens,
      compacted_estimated_tokens: efficiency.compactedEstimatedTokens,
      tokens_saved: efficiency.tokensSaved,
      actions: efficiency.actions,
    },
  };
}

/** The same as the document says it. */
export const chargeShape = {
  ...paymentShape,
  efficiency: z.looseObject({
    original_estimated_tokens: z.int(),
    compacted_estimated_tokens: z.int(),
    tokens_saved: z.int(),
    actions: z.array(z.string()).describe("The compaction steps that were applied."),
  }),
};
