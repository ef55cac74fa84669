import { useSearchParams } from "wouter";
import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/states.tsx";
import { useSay } from "../../parts/toasts.tsx";
import { useLeave } from "../../parts/use-leave.ts";
import { choiceWords, doneWords, explanation } from "./change-words.ts";
import { type Plan, price } from "./price.ts";

type ChangePlanProps = { readonly plan: Plan; readonly view: BillingView; onClose(): void };

export function ChangePlan({ plan, view, onClose }: ChangePlanProps) {
  const change = useCommand("change-plan", ["billing", "session", "ledger", "overview"]);
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
