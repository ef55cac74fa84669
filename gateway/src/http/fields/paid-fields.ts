import { z } from "zod";
import type { ChatOutcome, Paid } from "../../generation/index.ts";
import { nameSchemas } from "../route.ts";

/** What every reply to a paid call says about its cost, on both interfaces. */
export function encodePayment({ balance, creditsCharged }: Payment) {
  return { credits_charged: creditsCharged, balance: encodeBalance(balance) };
}

type Payment = Pick<Paid<unknown>, "creditsCharged" | "balance">;

/** The same beside the error of a stream; nothing if it was free. */
export const encodeStopped = (charge: Payment | undefined) => (charge ? encodePayment(charge) : {});

/** The same for a chat call, with the savings. Listed field by field: a spread costs more, on every chat call. */
export function encodeCharge({ outcome, balance, creditsCharged }: Paid<ChatOutcome>) {
  const { efficiency } = outcome;
  return {
    credits_charged: creditsCharged,
    balance: encodeBalance(balance),
    efficiency: {
      original_estimated_tokens: efficiency.originalEstimatedTokens,
      compacted_estimated_tokens: efficiency.compactedEstimatedTokens,
      tokens_saved: efficiency.tokensSaved,
      actions: efficiency.actions,
    },
  };
}

function encodeBalance({ subscription, anytime }: Paid<unknown>["balance"]) {
  return { subscription, anytime };
}

/** The reply schema for the OpenAPI document. */
export const paymentShape = {
  credits_charged: z.int(),
  balance: z.strictObject({
    subscription: z.int().describe("Credits of the current period that can be spent now."),
    anytime: z.int().describe("Credits without an expiry date that can be spent now."),
  }),
};

export const chargeShape = {
  ...paymentShape,
  efficiency: z.looseObject({
    original_estimated_tokens: z.int(),
    compacted_estimated_tokens: z.int(),
    tokens_saved: z.int(),
    actions: z.array(z.string()).describe("The compaction steps that were applied."),
  }),
};

nameSchemas({ Balance: paymentShape.balance, Efficiency: chargeShape.efficiency });
