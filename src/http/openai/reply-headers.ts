import type { Paid } from "../../generation/index.ts";
import { replyMarker } from "../mark-reply.ts";
import { setRateHeaders } from "./errors.ts";

/** Sets the headers that JSON replies and streams have in common. */
export const markReply = replyMarker(setRateHeaders);

/** Adds the cost, for clients that hide unknown fields of a body. The balance is that of both pools together. */
export function markPaidReply(response: Response, paid: Paid<unknown>): Response {
  const { creditsCharged, balance } = paid;
  const { headers } = markReply(response, paid);
  headers.set("x-credits-charged", String(creditsCharged));
  headers.set("x-credits-balance", String(balance.subscription + balance.anytime));
  return response;
}
