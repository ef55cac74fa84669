import { z } from "zod";
import { parseUuid } from "../kit/index.ts";
import {
  ENDPOINT_KINDS,
  type Endpoint,
  type EndpointRef,
  EVENT_TYPES,
  type EventType,
  loadDeliveries,
  loadEvents,
  MAX_ENDPOINTS,
  OPERATORS,
} from "../outbox/index.ts";
import { moment, momentOf } from "./input-fields.ts";
import { type Act, type ActIn, type Change, defineOperation, serving } from "./operation.ts";
import { conflict, invalidInput, noSuch, notTaken } from "./problem.ts";

const USUAL_LIMIT = 50;
const MAX_LIMIT = 200;
const ID = z.string().describe("the webhook's id");
const time = z.string().describe("ISO 8601, UTC");
const LIMIT = z.int().min(1).max(MAX_LIMIT).optional();
const TYPES = z
  .array(z.enum(EVENT_TYPES as [EventType, ...EventType[]]))
  .max(EVENT_TYPES.length)
  .optional();

const WEBHOOK = z
  .object({
    id: z.string(),
    kind: z.enum([...ENDPOINT_KINDS, "owners"]),
    host: z.string().describe("the host of its address, or its email address"),
    types: z.array(z.string()).describe("the events it gets; empty: all"),
    createdAt: time,
    pausedAt: time.nullable(),
    failingSince: time.nullable().describe("since when it accepted nothing"),
    oldSecretUntil: time.nullable().describe("until when the secret before a rotation signs, too"),
  })
  .meta({ id: "Webhook" });
const MINTED = WEBHOOK.extend({
  secret: z
    .string()
    .nullable()
    .describe("signs deliveries: shown once and never again; null if nothing is signed"),
}).meta({ id: "MintedWebhook" });

function viewOf({ retiredUntil, ...endpoint }: Endpoint): z.input<typeof WEBHOOK> {
  return {
    ...endpoint,
    types: [...endpoint.types],
    createdAt: endpoint.createdAt.toISOString(),
    pausedAt: endpoint.pausedAt?.toISOString() ?? null,
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    oldSecretUntil: retiredUntil?.toISOString() ?? null,
  };
}

type Somewhere = Act & Partial<ActIn>;

const orgIdOf = ({ organization }: Somewhere) => organization?.id ?? OPERATORS;
const refOf = (act: Somewhere, id: string): EndpointRef => ({
  orgId: orgIdOf(act),
  id: parseUuid(id) ?? OPERATORS,
});
const clientOf = (act: Somewhere) => act.services.db.pool;

async function found(act: Somewhere, id: string): Promise<Endpoint> {
  const endpoint = await serving(act).webhooks.find(clientOf(act), refOf(act, id));
  if (!endpoint) throw noSuch("webhook");
  return endpoint;
}

const factsOf = ({ host, types, pausedAt }: Endpoint) => ({ host, types, paused: pausedAt !== null });

function changeOf({ id, kind, host }: Endpoint, facts: Pick<Change, "before" | "after">): Change {
  return { object: { kind: "webhook", id, name: `${kind} ${host}` }, ...facts };
}

const COMMON = { area: "webhooks", place: "either", who: "admin" } as const;

const listWebhooks = defineOperation({
  ...COMMON,
  name: "webhook.list",
  access: "read",
  rest: ["GET /organizations/{org}/webhooks", "GET /webhooks"],
  input: z.strictObject({}),
  output: z.object({ webhooks: z.array(WEBHOOK), count: z.int() }).meta({ id: "Webhooks" }),
  words: { about: "List who is told of events. Without an organization, of the operator's." },
  async run(act) {
    const webhooks = (await serving(act).webhooks.list(clientOf(act), orgIdOf(act))).map(viewOf);
    return { webhooks, count: webhooks.length };
  },
});

const createWebhook = defineOperation({
  ...COMMON,
  name: "webhook.create",
  access: "write",
  rest: ["POST /organizations/{org}/webhooks", "POST /webhooks"],
  input: z.strictObject({
    kind: z.enum(ENDPOINT_KINDS).optional().describe("default: webhook"),
    address: z.string().max(2_000).describe("an https URL, or a member's email address"),
    types: TYPES.describe("the events it gets (default: all)"),
  }),
  output: MINTED,
  words: { about: "Have events delivered to an address. The secret that signs them is shown once." },
  async run(act, { kind = "webhook", address, types = [] }) {
    const made = await serving(act).webhooks.create(clientOf(act), {
      orgId: orgIdOf(act),
      kind,
      address,
      types,
    });
    switch (made) {
      case "address":
        throw notTaken(
          "address",
          kind === "email" ? "an email address" : "a public https URL at the usual port",
        );
      case "member":
        throw notTaken("address", "the email address of a member");
      case "no_mail":
        throw invalidInput("kind", "This gateway sends no emails.");
      case "types":
        throw notTaken("types", "types of events");
      case "too_many":
        throw conflict(`There are already ${MAX_ENDPOINTS} webhooks. Remove one that nobody needs.`);
    }
    const { endpoint, secret } = made;
    return {
      output: { ...viewOf(endpoint), secret },
      changed: changeOf(endpoint, { before: null, after: factsOf(endpoint) }),
    };
  },
});

const updateWebhook = defineOperation({
  ...COMMON,
  name: "webhook.update",
  access: "write",
  rest: ["PATCH /organizations/{org}/webhooks/{id}", "PATCH /webhooks/{id}"],
  input: z.strictObject({
    id: ID,
    types: TYPES.describe("the events it gets; none: all"),
    paused: z.boolean().optional().describe("true: nothing is delivered until it is false again"),
  }),
  output: WEBHOOK,
  words: { about: "Choose a webhook's events, or pause it." },
  async run(act, { id, ...change }) {
    const before = await found(act, id);
    const after = await serving(act).webhooks.update(clientOf(act), refOf(act, id), change);
    if (after === "types") throw notTaken("types", "types of events");
    if (!after) throw noSuch("webhook");
    return {
      output: viewOf(after),
      changed: changeOf(after, { before: factsOf(before), after: factsOf(after) }),
    };
  },
});

const rotateSecret = defineOperation({
  ...COMMON,
  name: "webhook.rotate-secret",
  access: "write",
  rest: ["POST /organizations/{org}/webhooks/{id}/rotate-secret", "POST /webhooks/{id}/rotate-secret"],
  input: z.strictObject({ id: ID }),
  output: MINTED,
  words: { about: "Give a webhook a new secret.", notes: "For a day, both secrets sign each delivery." },
  async run(act, { id }) {
    const { kind } = await found(act, id);
    if (kind !== "webhook") throw conflict("Only deliveries to webhooks are signed.");
    const made = await serving(act).webhooks.rotate(clientOf(act), refOf(act, id));
    if (!made) throw noSuch("webhook");
    const { endpoint, secret } = made;
    return {
      output: { ...viewOf(endpoint), secret },
      changed: changeOf(endpoint, { before: null, after: { grace: "24h" } }),
    };
  },
});

const removeWebhook = defineOperation({
  ...COMMON,
  name: "webhook.remove",
  access: "write",
  rest: ["DELETE /organizations/{org}/webhooks/{id}", "DELETE /webhooks/{id}"],
  input: z.strictObject({ id: ID }),
  output: WEBHOOK,
  words: {
    about: "Remove a webhook and its deliveries.",
    notes: "That of owners and admins can only be paused.",
  },
  async run(act, { id }) {
    const before = await found(act, id);
    const removed = await serving(act).webhooks.remove(clientOf(act), refOf(act, id));
    if (!removed) throw conflict("The emails to owners and admins can be paused, not removed.");
    return { output: viewOf(removed), changed: changeOf(before, { before: factsOf(before), after: null }) };
  },
});

const testWebhook = defineOperation({
  ...COMMON,
  name: "webhook.test",
  access: "write",
  rest: ["POST /organizations/{org}/webhooks/{id}/test", "POST /webhooks/{id}/test"],
  input: z.strictObject({ id: ID }),
  output: WEBHOOK,
  words: { about: "Send a webhook an event of the type webhook.test." },
  async run(act, { id }) {
    const endpoint = await found(act, id);
    await serving(act).webhooks.test(clientOf(act), refOf(act, id));
    return { output: viewOf(endpoint), changed: changeOf(endpoint, { before: null, after: null }) };
  },
});

const DELIVERY = z
  .object({
    webhookId: z.string(),
    eventId: z.string(),
    type: z.string(),
    status: z.enum(["waiting", "delivered", "failed"]),
    attempts: z.int(),
    nextAt: time.nullable().describe("of the next try"),
    triedAt: time.nullable().describe("of the last try"),
    httpStatus: z.int().nullable(),
    ms: z.int().nullable(),
    problem: z
      .string()
      .nullable()
      .describe("of the last try: address, connection, recipients, sealed, status or timeout"),
  })
  .meta({ id: "Delivery" });

const listDeliveries = defineOperation({
  ...COMMON,
  name: "delivery.list",
  access: "read",
  rest: ["GET /organizations/{org}/webhooks/{id}/deliveries", "GET /webhooks/{id}/deliveries"],
  input: z.strictObject({
    id: ID,
    cursor: z.string().optional().describe("`next_cursor` of the previous page"),
    limit: LIMIT,
  }),
  output: z.object({ rows: z.array(DELIVERY), nextCursor: z.string().nullable() }).meta({ id: "Deliveries" }),
  words: { about: "Show what became of a webhook's events of the last 30 days, newest first." },
  async run(act, { id, cursor, limit = USUAL_LIMIT }) {
    const before = cursor === undefined ? null : parseUuid(cursor);
    if (before === undefined) throw notTaken("cursor", "the cursor of a page");
    await found(act, id);
    const page = await loadDeliveries(clientOf(act), refOf(act, id), { before, limit: limit + 1 });
    const rows = page.slice(0, limit).map(({ endpointId: webhookId, ...row }) => ({
      webhookId,
      ...row,
      nextAt: row.nextAt?.toISOString() ?? null,
      triedAt: row.triedAt?.toISOString() ?? null,
    }));
    return { rows, nextCursor: page.length > limit ? (rows.at(-1)?.eventId ?? null) : null };
  },
});

const replayDelivery = defineOperation({
  ...COMMON,
  name: "delivery.replay",
  access: "write",
  rest: ["POST /organizations/{org}/webhooks/{id}/replay", "POST /webhooks/{id}/replay"],
  input: z.strictObject({
    id: ID,
    event: z.string().optional().describe("id of one event"),
    since: moment.optional().describe("or all since then, such as 2027-01-31T12:00:00Z"),
  }),
  output: z.object({ events: z.int().describe("how many are delivered again") }).meta({ id: "Replayed" }),
  words: {
    about: "Deliver an event again, or all since a time.",
    notes: "At most 10,000, the oldest; ask again from where they end.",
  },
  async run(act, { id, event, since }) {
    if ((event === undefined) === (since === undefined))
      throw notTaken("event", "an event's id, or a time in since");
    const endpoint = await found(act, id);
    const what =
      since === undefined
        ? { eventId: parseUuid(event ?? "") ?? OPERATORS }
        : { since: momentOf(since) ?? new Date() };
    const events = await serving(act).webhooks.replay(clientOf(act), refOf(act, id), what);
    if (events === 0 && since === undefined) throw noSuch("event");
    return {
      output: { events },
      changed: events === 0 ? null : changeOf(endpoint, { before: null, after: { events } }),
    };
  },
});

const EVENT = z
  .object({
    id: z.string(),
    seq: z.int().describe("its number in the organization, without gaps"),
    type: z.string(),
    createdAt: time,
    data: z.record(z.string(), z.unknown()).describe("ids and figures, by the type"),
  })
  .meta({ id: "Event" });

const listEvents = defineOperation({
  ...COMMON,
  name: "event.list",
  access: "read",
  rest: ["GET /organizations/{org}/events", "GET /events"],
  input: z.strictObject({
    after: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("only later ones than this number, oldest first"),
    before: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("only earlier ones than this number"),
    limit: LIMIT,
  }),
  output: z.object({ rows: z.array(EVENT), count: z.int() }).meta({ id: "Events" }),
  words: { about: "List the events of the last 30 days, newest first." },
  async run(act, { after = null, before = null, limit = USUAL_LIMIT }) {
    const events = await loadEvents(clientOf(act), orgIdOf(act), { after, before, limit });
    const rows = events.map(({ orgId: _, ...event }) => ({
      ...event,
      createdAt: event.createdAt.toISOString(),
      data: { ...event.data },
    }));
    return { rows, count: rows.length };
  },
});

export const WEBHOOK_OPERATIONS = [
  listWebhooks,
  createWebhook,
  updateWebhook,
  rotateSecret,
  removeWebhook,
  testWebhook,
  listDeliveries,
  replayDelivery,
  listEvents,
] as const;
