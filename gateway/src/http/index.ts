/**
 * The HTTP edge: both interfaces, health, metrics and the reference.
 * Owns the order of checks up to admission, the bounds of what a client may send, and how errors look on each wire.
 * Refuses to know prices, SQL, providers and how a call ends: it translates and decides nothing.
 *
 * Invariants:
 * - The first check that fails answers, in the order of `walk-route.ts`. The key is checked before the body.
 * - Every reply to a request that reaches us has a request id; an error has one of ten codes and no internal detail.
 * - Bodies, waits, connections being drained and concurrent requests are all bounded.
 * - An address, a host name or a link is never taken from a request.
 */
export { createApp } from "./app.ts";
export { createConsole, createInvitationBrake } from "./console/index.ts";
export type { HttpDeps, Mount, Readiness } from "./context.ts";
export { DATABASE_AWAY } from "./health.ts";
export { createManagement } from "./manage/manage.ts";
export { createCallSeal } from "./openai/sealed/sealed-call-id.ts";
export { createReasoningSeal } from "./openai/sealed/sealed-reasoning.ts";
export { readPrompt } from "./read-prompt.ts";
export type { ApiRoute } from "./route.ts";
export { type RunningServer, startServer } from "./server.ts";
export { stripeWebhook } from "./webhooks/stripe-webhook.ts";
