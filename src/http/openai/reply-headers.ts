import type { Paid } from "../../generation/index.ts";
import type { RateState } from "../../kit/index.ts";
import { setRateHeaders } from "./errors.ts";

/** Where the caller stands in its rate window, and whether this is a repeat: on JSON replies and streams alike. */
export function markReply(
  response: Response,
  paid: { readonly rate: RateState | null; readonly replayed: boolean },
): Response {
  if (paid.rate) setRateHeaders(response.headers, paid.rate);
  if (paid.replayed) response.headers.set("idempotent-replayed", "true");
  return response;
}

/** What the call cost, for clients that hide unknown fields of a body. The balance is both pools together. */
export function markCharge(response: Response, { creditsCharged, balance }: Paid<unknown>): Response {
  response.headers.set("x-credits-charged", String(creditsCharged));
  response.headers.set("x-credits-balance", String(balance.subscription + balance.anytime));
  return response;
}
