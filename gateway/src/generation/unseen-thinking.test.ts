import { expect, test } from "bun:test";
import { systemClock } from "../kit/index.ts";
import { createChatAnswer } from "./answer/chat-answer.ts";
import { quote } from "./chat-call-testing.ts";
import { type PricingDeps, priceDelivered } from "./chat-price.ts";

const deps = { clock: systemClock } as PricingDeps;
const answer = createChatAnswer();
answer.add({ target: "somebody", events: [{ type: "text", text: "hello" }] });
const written = priceDelivered(deps, quote(), answer).outputTokens;

test.each([
  ["all of it where there is room", 5, 10, 5],
  ["no more than there is room for", 50, 10, 10],
  ["nothing where what was written takes more than is held", 5, -1, 0],
])("thinking that nobody saw is charged as output of a cut answer: %s", (_, unseenTokens, room, charged) => {
  const { outcome } = priceDelivered(deps, quote(), answer, { unseenTokens, mostTokens: written + room });
  expect(outcome.usage).toMatchObject({ outputTokens: written + charged, reasoningTokens: charged });
});
