import type { Paid } from "../../generation/index.ts";
import { markReply } from "../mark-reply.ts";

/** A caller whose limit was lowered learns it from the header, before the answer is cut there. */
export function markAnswer(
  response: Response,
  reply: Parameters<typeof markReply>[2] & Pick<Paid<unknown>, "maxTokensGranted">,
): Response {
  const { maxTokensGranted } = reply;
  if (maxTokensGranted !== undefined) response.headers.set("x-max-tokens-granted", String(maxTokensGranted));
  return markReply("openai", response, reply);
}

/** Adds the cost, for clients that hide unknown fields of a body. The balance is that of both pools together. */
export function markPaidReply(response: Response, paid: Paid<unknown>): Response {
  const { creditsCharged, balance } = paid;
  const { headers } = markAnswer(response, paid);
  headers.set("x-credits-charged", String(creditsCharged));
  headers.set("x-credits-balance", String(balance.subscription + balance.anytime));
  return response;
}
