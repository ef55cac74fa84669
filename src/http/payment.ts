import { z } from "zod";
import type { Paid } from "../generation/index.ts";

/** What every reply to a paid call says of money, on both interfaces. */
export function encodePayment({ balance, creditsCharged }: Paid<unknown>) {
  return {
    credits_charged: creditsCharged,
    balance: { subscription: balance.subscription, anytime: balance.anytime },
  };
}

/** The same as the document says it. */
export const paymentShape = {
  credits_charged: z.int(),
  balance: z.strictObject({
    subscription: z.int().describe("Credits of the open period that can be spent now."),
    anytime: z.int().describe("Credits without an end that can be spent now."),
  }),
};
