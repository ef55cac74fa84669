import type { Commands, Queries } from "../../../gateway/src/http/console/contract.ts";

export type WebhookRow = Queries["webhook.list"]["output"]["webhooks"][number];
export type EventType = NonNullable<Commands["webhook.create"]["input"]["types"]>[number];
export type Kind = NonNullable<Commands["webhook.create"]["input"]["kind"]>;

export const KINDS: Readonly<Record<WebhookRow["kind"], string>> = {
  webhook: "Webhook",
  slack: "Slack",
  email: "Email",
  owners: "Email",
};

/** Events that people can ask for, in groups; those for operators are not offered here. */
export const EVENT_GROUPS: readonly { readonly label: string; readonly types: readonly EventType[] }[] = [
  { label: "Credits", types: ["balance.low", "credits.expiring"] },
  {
    label: "Payments",
    types: ["payment.succeeded", "payment.failed", "payment.refunded", "payment.disputed"],
  },
  { label: "Plan", types: ["plan.changed", "plan.started", "plan.ended"] },
  { label: "API keys", types: ["key.created", "key.rotated", "key.revoked"] },
  {
    label: "Members",
    types: ["member.invited", "member.added", "member.removed", "member.role_changed"],
  },
  { label: "Videos", types: ["video.completed", "video.failed"] },
  { label: "Webhooks", types: ["webhook.paused"] },
];

/** What a webhook gets: whole groups, if it asked for all of their events. */
export function eventWords(types: readonly string[]): string {
  if (types.length === 0) return "All events";
  const whole = EVENT_GROUPS.filter((group) => group.types.every((type) => types.includes(type)));
  const others = types.filter((type) => !whole.some((group) => group.types.some((one) => one === type)));
  return [...whole.map(({ label }) => label), ...others].join(", ");
}
