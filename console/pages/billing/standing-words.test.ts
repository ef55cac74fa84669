import { expect, test } from "bun:test";
import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { standingWords } from "./standing-words.ts";

const view = {
  balance: { subscription: 0, subscriptionExpiresAt: null },
  plan: "free",
  renewsAt: null,
  paidBy: "stripe",
  paid: null,
  endsAt: null,
  nextPlan: null,
  paymentFailed: null,
  plans: [{ name: "free" }, { name: "pro" }],
} as unknown as BillingView;
const said = (changes: object) => standingWords({ ...view, ...changes }, true);

test("a plan without credits says what calls are paid from", () => {
  expect(said({})).toBe("The Free plan includes no credits: calls are paid from anytime credits.");
});

test("a plan without credits mentions the credits left of an earlier month", () => {
  const balance = { subscription: 50_000, subscriptionExpiresAt: "2031-02-15T12:00:00Z" };
  expect(said({ balance })).toMatch(
    /^The Free plan includes no credits\. What is left of an earlier month, 50,000 credits, can be used until .+; after that calls are paid from anytime credits\.$/,
  );
});

test("a paid plan that is no longer offered says what it costs and includes", () => {
  const paying = { renewsAt: "2031-02-15T12:00:00Z", paid: { usd: 79, monthlyCredits: 80_000 } };
  expect(said({ ...paying, plan: "team-2025" })).toEndWith(
    "It is no longer offered; while you keep it, it stays at $79 and 80,000 credits a month.",
  );
  expect(said({ ...paying, plan: "pro" })).toMatch(/^The Pro plan is charged and renewed on [^.]+\.$/);
});
