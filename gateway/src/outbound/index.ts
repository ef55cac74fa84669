/**
 * The one way out: every HTTP call to a provider goes through here, with its timeouts, size limits, redaction of what
 * comes back, its one retry and its circuit breaker.
 * Refuses to know any provider's request or reply beyond the shape of its errors; it reads no setting, and a call to a
 * provider never follows a redirect. Files at URLs that clients or providers name are fetched by `createPublicFetch`,
 * which connects only to the public internet and to hosts that the operator allows, after redirects, too, and called by
 * `createPublicPost` under the same guard, which follows none.
 *
 * Invariants:
 * - Every wait and every body is bounded.
 * - A call ends with a response, with a ProviderFailure or with the unchanged reason of the caller's signal. Once it
 *   has ended, none of its timers and listeners is left.
 * - No public message contains a key, a host or an id.
 */
export { asFetch } from "./as-fetch.ts";
export { beginsAsEvents, readsAsEvents } from "./begins-as-events.ts";
export { type Breaker, type BreakerOptions, type BreakerPermit, createBreaker } from "./breaker.ts";
export { headerSecrets } from "./call-secrets.ts";
export { type ErrorHabits, failureOf, failureOfResponse } from "./failures/failure-of.ts";
export { detailOfUnread, EXCESS, UnsentFailure, UnstartedFailure } from "./failures/network-failure.ts";
export { sanitise } from "./failures/public-message.ts";
export { retryAfterSecondsOf } from "./failures/retry-after.ts";
export type { OutboundFetch, OutboundInit, OutboundResponse, OutboundTimeouts } from "./outbound-call.ts";
export { createOutboundFetch, type OutboundOptions, type OutboundWay } from "./outbound-fetch.ts";
export { mayBeHandedOn } from "./public/handed-url.ts";
export { AbsentFile, UnsafeAddress } from "./public/public-failure.ts";
export {
  createPublicFetch,
  createPublicPost,
  type PublicFetch,
  type PublicPost,
  withAllowedHosts,
} from "./public/public-fetch.ts";
export { checkUrl } from "./public/public-url.ts";
export {
  askedAt,
  discard,
  drain,
  expectEnd,
  readAnswer,
  readBytes,
  readJson,
  takeText,
} from "./read-body.ts";
export { createRetrier, pause } from "./retry.ts";
export { type SseOptions, sseEvents } from "./sse-events.ts";
export { StreamedBody } from "./streamed-body.ts";
export type { WaysOut } from "./ways-out.ts";
