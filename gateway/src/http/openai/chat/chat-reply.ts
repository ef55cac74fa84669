import type { ChatOutcome, Paid } from "../../../generation/index.ts";
import { encodeCharge } from "../../fields/paid-fields.ts";
import { jsonReply } from "../../reply.ts";
import { markPaidReply } from "../reply-headers.ts";
import { chatIdOf, createdAtSeconds } from "../reply-identity.ts";
import { type ChoiceForm, encodeChoice } from "./chat-choice.ts";
import { encodeUsage } from "./chat-usage.ts";

/** The single reply to a call. `requestId` is this call's, even if the answer repeats another call's. */
export function chatReply(requestId: string, paid: Paid<ChatOutcome>, form: ChoiceForm): Response {
  return markPaidReply(jsonReply(requestId, chatBody(paid, form)), paid);
}

export function chatBody(paid: Paid<ChatOutcome>, form: ChoiceForm): Readonly<Record<string, unknown>> {
  const { model, answers, wire, usage } = paid.outcome;
  const body: Record<string, unknown> = {
    id: chatIdOf(paid.requestId),
    object: "chat.completion",
    created: createdAtSeconds(paid.requestId),
    model,
  };
  if (wire === null) body["choices"] = answers.map((answer, index) => encodeChoice(answer, index, form));
  else addMissing(body, wire);
  body["usage"] = encodeUsage(usage);
  return Object.assign(body, encodeCharge(paid));
}

/** Adds what an upstream of this wire said, except where the field is ours. */
function addMissing(body: Record<string, unknown>, wire: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(wire)) if (!(name in body)) body[name] = wire[name];
}
