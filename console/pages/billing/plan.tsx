import { useState } from "react";
import { useSearchParams } from "wouter";
import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { capital, counted, number } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Notice } from "../../parts/states.tsx";
import { useLeave } from "../../parts/use-leave.ts";
import { useSay } from "../../toasts.tsx";
import { choiceWords, doneWords, explanation } from "./change-words.ts";
import { type Plan, price } from "./price.ts";
import { standingWords } from "./standing-words.ts";

type ChangePlanProps = { readonly plan: Plan; readonly view: BillingView; onClose(): void };

function ChangePlan({ plan, view, onClose }: ChangePlanProps) {
  const change = useCommand("billing.change-plan", [
    "billing.get",
    "session",
    "ledger.list",
    "usage.overview",
  ]);
  const say = useSay();
  const { isLeaving, leave } = useLeave();
  const [, setSearch] = useSearchParams();
  /** Removes the thanks for an order whose plan has been given up. */
  function forgetOrder() {
    setSearch(
      (before) => {
        before.delete("order");
        return before;
      },
      { replace: true },
    );
  }
  return (
    <Dialog title={`${choiceWords(plan)}?`} onClose={onClose}>
      <div className="form">
        <p>{explanation(plan, view)}</p>
        {change.error && <Notice look="bad">{change.error.message}</Notice>}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            isBusy={change.isPending || isLeaving}
            onClick={() =>
              change.mutate(
                { plan: plan.name },
                {
                  onSuccess: ({ url }) => {
                    if (url !== null) return leave(url);
                    say(doneWords(plan, view));
                    forgetOrder();
                    onClose();
                  },
                },
              )
            }
          >
            {plan.change === "checkout" ? `Go to checkout: ${price(plan.usd)} a month` : "Change the plan"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

export function PlanCard({ view }: { view: BillingView }) {
  const { administers, organization, service } = useSigned();
  const [wanted, setWanted] = useState<Plan | null>(null);
  const mayChange = organization.role === "owner" && service.payments !== "none" && organization.isActive;
  return (
    <Card title="Plan" actions={view.hasPortal && <Portal />}>
      <div className="stack">
        {view.paymentFailed && administers && <PaymentFailed payUrl={view.paymentFailed.payUrl} />}
        <p>{standingWords(view, organization.isActive)}</p>
        <ul className="plans">
          {view.plans.map((plan) => (
            <PlanBox
              key={plan.name}
              plan={plan}
              view={view}
              onChoose={mayChange && isOpen(plan, view) ? () => setWanted(plan) : null}
            />
          ))}
        </ul>
        {administers && organization.role !== "owner" && service.payments !== "none" && (
          <p className="dim small">Only owners can change the plan.</p>
        )}
      </div>
      {wanted && <ChangePlan plan={wanted} view={view} onClose={() => setWanted(null)} />}
    </Card>
  );
}

const OPEN = new Set(["checkout", "later", "now", "stay"]);

/** True for plans that can be chosen: neither the one that is coming anyway nor one that would change nothing. */
function isOpen(plan: Plan, view: BillingView): boolean {
  const isComing =
    plan.name === view.nextPlan || (plan.usd === 0 && view.endsAt !== null && !view.paymentFailed);
  return OPEN.has(plan.change) && !isComing;
}

function PlanBox({ plan, view, onChoose }: { plan: Plan; view: BillingView; onChoose: (() => void) | null }) {
  const isCurrent = plan.name === view.plan;
  return (
    <li className={isCurrent ? "plan current" : "plan"}>
      <div className="spread">
        <h3>{capital(plan.name)}</h3>
        {isCurrent && <Badge look="good">Your plan</Badge>}
        {plan.name === view.nextPlan && <Badge look="info">Next</Badge>}
      </div>
      <p>
        <span className="choice-price">{price(plan.usd)}</span>{" "}
        {plan.usd > 0 && <span className="dim small">a month</span>}
      </p>
      <ul className="plan-facts">
        <li>
          {plan.monthlyCredits > 0 ? `${number(plan.monthlyCredits)} credits a month` : "No credits included"}
        </li>
        <li>{counted(plan.requestsPerMinute, "request")} a minute</li>
        <li>{counted(plan.inFlight, "call")} at once</li>
        <li>{counted(plan.videoJobs, "video job")} at once</li>
      </ul>
      {onChoose && <Button onClick={onChoose}>{choiceWords(plan)}</Button>}
    </li>
  );
}

function PaymentFailed({ payUrl }: { payUrl: string | null }) {
  return (
    <Notice look="bad">
      This month's payment failed, so its credits have not arrived. It will be retried over the next few days.
      {payUrl && (
        <>
          {" "}
          <a href={payUrl}>Pay it now</a>
        </>
      )}
    </Notice>
  );
}

function Portal() {
  const manage = useCommand("billing.portal", []);
  const { isLeaving, leave } = useLeave();
  return (
    <>
      {manage.error && <span className="dim small">{manage.error.message}</span>}
      <Button
        icon={<Icon name="external-link" />}
        isBusy={manage.isPending || isLeaving}
        onClick={() => manage.mutate({}, { onSuccess: ({ url }) => leave(url) })}
      >
        Card and invoices
      </Button>
    </>
  );
}
