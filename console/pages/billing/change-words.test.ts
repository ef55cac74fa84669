import { expect, test } from "bun:test";
import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { doneWords, explanation } from "./change-words.ts";
import type { Plan } from "./price.ts";

const plan = (name: string, usd: number) => ({ name, usd, monthlyCredits: 0, change: "later" }) as Plan;
const [free, pro, enterprise] = [plan("free", 0), plan("pro", 49), plan("enterprise", 499)];

const view = {
  plan: "enterprise",
  renewsAt: "2031-02-15T12:00:00Z",
  paidBy: "stripe",
  paymentFailed: null,
  plans: [free, pro, enterprise],
  balance: { subscription: 7 },
} as unknown as BillingView;

const said = (wanted: Plan, changes: Partial<BillingView> = {}) =>
  explanation(wanted, { ...view, ...changes });

test("a paid month is used to its end", () => {
  expect(said(free)).toStartWith("This month is paid, so the Enterprise plan lasts until");
  expect(said(pro)).toStartWith("This month is paid, so the change takes effect on");
});

test("a month whose payment failed is not called paid", () => {
  const paymentFailed = { payUrl: null };
  expect(said(free, { paymentFailed })).toBe(
    "This month's payment failed, so the Enterprise plan ends at once. Nothing more is charged.",
  );
  expect(said(pro, { paymentFailed })).toBe(
    "This month's payment failed and will be retried. From next month it is $49 a month.",
  );
});

test("a month that has just begun is not called paid", () => {
  const begun = { renewsAt: "2021-02-15T12:00:00Z" };
  expect(said(free, begun)).toBe(
    "A new month has just begun. If it has not been paid yet, the Enterprise plan ends at once; otherwise it lasts until that month ends. After that, nothing more is charged.",
  );
  expect(said(pro, begun)).toBe(
    "A new month has just begun and still costs what it did before. From the next one on it is $49 a month.",
  );
});

test("a change that took effect immediately is not announced as coming", () => {
  const paymentFailed = { payUrl: null };
  expect(doneWords({ ...free, change: "now" }, view)).toBe("The plan is now Free.");
  expect(doneWords(free, { ...view, paymentFailed })).toBe("The plan is now Free.");
  expect(doneWords(free, view)).toBe("The plan changes to Free.");
  expect(doneWords(pro, { ...view, paymentFailed })).toBe("The plan changes to Pro.");
  expect(doneWords({ ...enterprise, change: "stay" }, view)).toBe("The Enterprise plan continues.");
});
