import { ExternalLink } from "lucide-react";
import { useState } from "react";
import type { BillingView } from "../../../src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { capital, counted, day, number } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import { useLeave } from "../../parts/use-leave.ts";
import { ChangePlan } from "./change-plan.tsx";
import { type Plan, price } from "./price.ts";

export function PlanCard({ view }: { view: BillingView }) {
  const { administers, organization, service } = useSigned();
  const [wanted, setWanted] = useState<Plan | null>(null);
  const mayChange = organization.role === "owner" && service.payments !== "none" && organization.isActive;
  return (
    <Card title="Plan" actions={view.hasPortal && <Portal />}>
      <div className="stack">
        {view.paymentFailed && administers && <PaymentFailed payUrl={view.paymentFailed.payUrl} />}
        <p>{standing(view, organization.isActive)}</p>
        <ul className="plans">
          {view.plans.map((plan) => (
            <PlanBox
              key={plan.name}
              plan={plan}
              view={view}
              onChoose={mayChange && isOpen(plan, view, service.payments) ? () => setWanted(plan) : null}
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

/** How the plan goes on, in a sentence. */
function standing(view: BillingView, isActive: boolean): string {
  const plan = `The ${capital(view.plan)} plan`;
  if (view.endsAt) return `${plan} ends on ${day(view.endsAt)}; after that you are on the Free plan.`;
  if (view.nextPlan && view.renewsAt) {
    return `${plan} lasts until ${day(view.renewsAt)}; after that you are on the ${capital(view.nextPlan)} plan.`;
  }
  if (!view.renewsAt) return `${plan} includes no credits: calls are paid from anytime credits.`;
  if (view.paymentFailed) return `${plan} continues once this month is paid.`;
  if (!isActive && view.paidBy !== "stripe")
    return `${plan} is not renewed while the organization is inactive.`;
  return view.paidBy === "stripe"
    ? `${plan} is charged and renewed on ${day(view.renewsAt)}.`
    : `${plan} renews automatically on ${day(view.renewsAt)}.`;
}

/** What an operator arranged is theirs to end. */
function isOpen(plan: Plan, view: BillingView, payments: string): boolean {
  if (plan.name === view.plan) return view.endsAt !== null || view.nextPlan !== null;
  if (plan.name === view.nextPlan || (plan.usd === 0 && view.endsAt !== null && !view.paymentFailed))
    return false;
  return plan.usd > 0 || payments === "test" || view.paidBy === "stripe";
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
      {onChoose && (
        <Button onClick={onChoose}>{`${isCurrent ? "Stay with" : "Change to"} ${capital(plan.name)}`}</Button>
      )}
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
  const manage = useCommand("manage-payments", []);
  const { isLeaving, leave } = useLeave();
  return (
    <>
      {manage.error && <span className="dim small">{manage.error.message}</span>}
      <Button
        icon={<ExternalLink aria-hidden />}
        isBusy={manage.isPending || isLeaving}
        onClick={() => manage.mutate({}, { onSuccess: ({ url }) => leave(url) })}
      >
        Card and invoices
      </Button>
    </>
  );
}
