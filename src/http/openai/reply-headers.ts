import type { Paid } from "../../generation/index.ts";
import { replyMarker } from "../mark-reply.ts";
import { setRateHeaders } from "./errors.ts";

/** On JSON replies and streams alike. */
export const markReply = replyMarker(setRateHeaders);

/** What the call cost, for clients that hide unknown fields of a body. The balance is both pools together. */
export function markCharge(response: Response, { creditsCharged, balance }: Paid<unknown>): Response {
  response.headers.set("x-credits-charged", String(creditsCharged));
  response.headers.set("x-credits-balance", String(balance.subscription + balance.anytime));
  return response;
}
