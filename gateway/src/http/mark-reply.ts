import type { RateState } from "../kit/index.ts";

type Marked = { readonly rate: RateState; readonly replayed: boolean };

/** Adds the rate-limit headers, under the wire's own names, and marks a replayed reply. */
export function replyMarker(setRateHeaders: (headers: Headers, rate: RateState) => void) {
  return (response: Response, { rate, replayed }: Marked): Response => {
    setRateHeaders(response.headers, rate);
    if (replayed) response.headers.set("idempotent-replayed", "true");
    return response;
  };
}
