import type { BillingView } from "../../../src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { credits, day, number } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../parts/toasts.tsx";
import { type Plan, price } from "./price.ts";

export type ChangePlanProps = { readonly plan: Plan; readonly view: BillingView; onClose(): void };

export function ChangePlan({ plan, view, onClose }: ChangePlanProps) {
  const { service } = useSigned();
  const change = useCommand("change-plan", ["billing", "session", "ledger", "overview"]);
  const say = useSay();
  const begins = beginning(plan, view, service.payments);
  return (
    <Dialog
      title={begins === "stay" ? `Stay with ${plan.name}?` : `Change to ${plan.name}?`}
      onClose={onClose}
    >
      <div className="form">
        <p>{explanation(plan, view, begins)}</p>
        {change.error && <Notice look="bad">{change.error.message}</Notice>}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            isBusy={change.isPending}
            onClick={() =>
              change.mutate(
                { plan: plan.name },
                {
                  onSuccess: ({ url }) => {
                    if (url !== null) return location.assign(url);
                    say(
                      begins === "stay"
                        ? `The ${plan.name} plan goes on.`
                        : `The plan changes to ${plan.name}.`,
                    );
                    onClose();
                  },
                },
              )
            }
          >
            {begins === "paid" ? `Go to the checkout: ${price(plan.usd)} a month` : "Change the plan"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

type Beginning = "paid" | "later" | "now" | "stay";

/** The gateway decides; this says beforehand what it will do. */
function beginning(plan: Plan, view: BillingView, payments: string): Beginning {
  if (plan.name === view.plan) return "stay";
  if (payments === "test") return plan.usd > 0 ? "paid" : "now";
  const current = view.plans.find(({ name }) => name === view.plan)?.usd ?? 0;
  return view.paidBy === "stripe" && plan.usd <= current ? "later" : "paid";
}

function explanation(plan: Plan, view: BillingView, begins: Beginning): string {
  const left = view.balance.subscription;
  const lost = left > 0 ? ` What is left of this month's plan, ${credits(left)}, expires then.` : "";
  switch (begins) {
    case "paid":
      return `It begins when it is paid, with ${number(plan.monthlyCredits)} credits for the first month.${lost}`;
    case "later":
      return plan.usd === 0
        ? `This month is paid, so the ${view.plan} plan lasts until ${view.renewsAt ? day(view.renewsAt) : "its end"}. After that nothing is charged any more.`
        : `This month is paid, so the change comes on ${view.renewsAt ? day(view.renewsAt) : "its last day"}. From then on it is ${price(plan.usd)} a month.`;
    case "now":
      return "The change comes at once. The credits of this month stay until they expire.";
    case "stay":
      return `The ${plan.name} plan goes on as before, for ${price(plan.usd)} a month.`;
  }
}
