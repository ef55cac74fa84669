import type { Paid } from "../../generation/index.ts";
import { replyMarker } from "../mark-reply.ts";
import { setRateHeaders } from "./errors.ts";

/** Sets the headers that JSON replies and streams have in common. */
const markRate = replyMarker(setRateHeaders);

/** A caller whose limit was lowered learns it from the header, before the answer is cut there. */
export function markReply(
  response: Response,
  reply: Parameters<typeof markRate>[1] & Pick<Paid<unknown>, "maxTokensGranted">,
): Response {
  const { maxTokensGranted } = reply;
  if (maxTokensGranted !== undefined) response.headers.set("x-max-tokens-granted", String(maxTokensGranted));
  return markRate(response, reply);
}

/** Adds the cost, for clients that hide unknown fields of a body. The balance is that of both pools together. */
export function markPaidReply(response: Response, paid: Paid<unknown>): Response {
  const { creditsCharged, balance } = paid;
  const { headers } = markReply(response, paid);
  headers.set("x-credits-charged", String(creditsCharged));
  headers.set("x-credits-balance", String(balance.subscription + balance.anytime));
  return response;
}
