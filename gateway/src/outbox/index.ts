/**
 * What happened, told to whoever asked for it: webhooks, Slack and emails.
 * Owns events, endpoints and deliveries: who is told what, when a delivery is tried again, how it is signed and worded.
 * Refuses to know why something happened. Events are written by `event_append`, in the transaction that causes them;
 * most by triggers, so that whoever changes a row cannot forget its event.
 *
 * Invariants:
 * - A committed event is delivered at least once to each endpoint that asked for it, or given up after three days. No
 *   order is promised: each event has its number in its organization.
 * - An address is sealed, and shown as its host. Neither it nor a secret reaches the log, nor what an endpoint answers.
 * - An organization's endpoint is never reached inside, and no redirect is followed.
 * - A delivery that fails delays no other; an endpoint that fails gets one at a time.
 */
export { type Endpoints, MAX_ENDPOINTS } from "./endpoints.ts";
export { EVENT_TYPES, type EventType, OPERATORS } from "./events.ts";
export { createOutbox, type Lane, MOST_OF_QUICK, type Outbox } from "./outbox.ts";
export {
  type Claim,
  ENDPOINT_KINDS,
  type Endpoint,
  type EndpointRef,
  loadDeliveries,
  loadEvents,
} from "./store.ts";
