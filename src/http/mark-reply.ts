import type { RateState } from "../kit/index.ts";

type Marked = { readonly rate: RateState; readonly replayed: boolean };

/** Says where the caller stands in its rate window, and whether this is a repeat; the wire names the headers. */
export function replyMarker(setRateHeaders: (headers: Headers, rate: RateState) => void) {
  return (response: Response, { rate, replayed }: Marked): Response => {
    setRateHeaders(response.headers, rate);
    if (replayed) response.headers.set("idempotent-replayed", "true");
    return response;
  };
}
