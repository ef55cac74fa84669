import type { AppError, RateState } from "../kit/index.ts";
import type { Wire } from "./route.ts";

/** What each wire puts around the name of a rate-limit header, and behind its seconds. */
const RATE_HEADERS: Readonly<Record<Wire, readonly [before: string, after: string, unit: string]>> = {
  native: ["ratelimit", "", ""],
  openai: ["x-ratelimit", "-requests", "s"],
};

export function setRateHeaders(wire: Wire, headers: Headers, rate: RateState): void {
  const [before, after, unit] = RATE_HEADERS[wire];
  headers.set(`${before}-limit${after}`, String(rate.limit));
  headers.set(`${before}-remaining${after}`, String(rate.remaining));
  headers.set(`${before}-reset${after}`, `${rate.resetSeconds}${unit}`);
}

/** Adds the rate-limit headers, and marks a replayed reply; for JSON replies and streams alike. */
export function markReply(
  wire: Wire,
  response: Response,
  { rate, replayed }: { readonly rate: RateState; readonly replayed: boolean },
): Response {
  setRateHeaders(wire, response.headers, rate);
  if (replayed) response.headers.set("idempotent-replayed", "true");
  return response;
}

/** Adds what an error says in headers on every wire. */
export function markError(wire: Wire, response: Response, { options }: AppError): Response {
  const { retryAfterSeconds, rate, missing } = options;
  if (retryAfterSeconds !== undefined)
    response.headers.set("retry-after", String(Math.ceil(retryAfterSeconds)));
  if (rate) setRateHeaders(wire, response.headers, rate);
  if (missing) response.headers.set("x-credits-missing", String(missing.credits));
  return response;
}
