import { nameInEmail } from "../kit/index.ts";

/** Of the operators' events and endpoints. */
export const OPERATORS = "00000000-0000-0000-0000-000000000000";

/** Ids and figures. */
export type EventData = Readonly<Record<string, string | number | null>>;

/** What an event says to people, in one sentence without its full stop. Every type is listed here. */
const SENTENCES = {
  "balance.low": (of, d) => `${of} is running low on credits: ${amount(d["available_credits"])} left`,
  "credits.expiring": (of, d) =>
    `${amount(d["expiring_credits"])} of ${of} expire on ${moment(d["expires_at"])}`,
  "payment.succeeded": (of, d) => `${of} paid ${dollars(d["amount_cents"])}`,
  "payment.failed": (of) => `The payment for the plan of ${of} failed`,
  "payment.refunded": (of, d) =>
    `A payment of ${of} was refunded, and ${amount(d["credits"])} were taken back`,
  "payment.disputed": (of, d) =>
    `A payment of ${of} was disputed, and ${amount(d["credits"])} were taken back`,
  "plan.changed": (of, d) => `${of} now has the plan ${shown(d["plan"])}`,
  "plan.started": (of) => `A paid plan of ${of} started`,
  "plan.ended": (of) => `The paid plan of ${of} ended`,
  "key.created": (of, d) => `The key ${shown(d["name"])} of ${of} was created`,
  "key.rotated": (of, d) => `The key ${shown(d["name"])} of ${of} got a new secret`,
  "key.revoked": (of, d) => `The key ${shown(d["name"])} of ${of} was revoked`,
  "member.added": (of, d) => `Somebody joined ${of} as ${shown(d["role"])}`,
  "member.removed": (of) => `Somebody left ${of}`,
  "member.role_changed": (of, d) => `A member of ${of} is now ${shown(d["role"])}`,
  "member.invited": (of, d) => `Somebody was invited to ${of} as ${shown(d["role"])}`,
  "video.completed": (of, d) => `A video of ${of} is ready (request ${shown(d["request_id"])})`,
  "video.failed": (of, d) => `A video of ${of} failed and cost nothing (request ${shown(d["request_id"])})`,
  "webhook.paused": (of, d) =>
    `The webhook of ${of} at ${shown(d["host"])} accepted nothing for days and was paused`,
  "webhook.test": (of) => `This is a test of a webhook of ${of}`,
  "ledger.unsound": (_, d) => `The audit of the ledger found ${shown(d["faults"])} faults`,
  "provider.down": (_, d) => `${shown(d["target"])} fails and is skipped`,
} satisfies Record<string, (of: string, data: EventData) => string>;

export type EventType = keyof typeof SENTENCES;

/** What an endpoint can ask for. */
export const EVENT_TYPES = Object.keys(SENTENCES).filter((type) => type !== "webhook.test") as EventType[];

export type OutboxEvent = {
  readonly id: string;
  readonly orgId: string;
  readonly seq: number;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: EventData;
};

/** What a webhook is sent; each try has the same bytes. */
export function bodyOf({ id, orgId, seq, type, createdAt, data }: OutboxEvent): string {
  const organization_id = orgId === OPERATORS ? null : orgId;
  return JSON.stringify({ id, type, timestamp: createdAt, seq, organization_id, livemode: true, data });
}

/** `name` of the organization. A type of a newer version has no sentence of its own. */
export function sentenceOf({ type, data }: Pick<OutboxEvent, "type" | "data">, name: string): string {
  const write = (SENTENCES as Record<string, (of: string, data: EventData) => string>)[type];
  return write ? write(nameInEmail(name), data) : `${type} at ${nameInEmail(name)}`;
}

export type Letter = { readonly subject: string; readonly text: string };

/** `pages`: where the console is. `why`: why its reader gets it. */
export function letterOf(
  event: OutboxEvent,
  { name, pages, why }: Record<"name" | "pages" | "why", string>,
): Letter {
  const of = nameInEmail(name);
  const billing = `${pages}/billing?organization=${event.orgId}`;
  const write = (subject: string, ...paragraphs: string[]): Letter => ({
    subject,
    text: `${paragraphs.join("\n\n")}\n\n${why}\n`,
  });
  const { data } = event;
  switch (event.type) {
    case "balance.low":
      return write(
        `${of} is running low on credits`,
        `${of} has ${amount(data["available_credits"])} left. When they are used up, calls are refused.`,
        "Add credits here:",
        billing,
      );
    case "credits.expiring":
      return write(
        `${amount(data["expiring_credits"])} of ${of} expire soon`,
        `${amount(data["expiring_credits"])} of this month's plan of ${of} are unused and expire on ${moment(data["expires_at"])}. ` +
          "Anytime credits do not expire.",
        "Your balance and your plan are here:",
        billing,
      );
    case "payment.failed":
      return write(
        `The payment for the plan of ${of} failed`,
        `The payment for the next month of the plan of ${of} could not be collected, so its credits have not arrived. ` +
          "It will be tried again; you can also pay, or change the card, here:",
        billing,
      );
    default: {
      const sentence = sentenceOf(event, name);
      return write(sentence, `${sentence}.`, `${pages}?organization=${event.orgId}`);
    }
  }
}

const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function moment(at: unknown): string {
  return `${MOMENT.format(new Date(String(at)))} UTC`;
}

function amount(credits: unknown): string {
  return `${Number(credits).toLocaleString("en-US")} ${credits === 1 ? "credit" : "credits"}`;
}

function dollars(cents: unknown): string {
  return `US$${(Number(cents) / 100).toFixed(2)}`;
}

/** A key's name is anybody's text. */
function shown(value: unknown): string {
  return nameInEmail(String(value));
}
