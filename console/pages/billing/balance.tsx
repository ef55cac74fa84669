import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { Stat } from "../../parts/card.tsx";
import { Figure, WholeBalance } from "../../parts/figure.tsx";
import { credits, day, figure } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import { price } from "./price.ts";

export function Balance({ view }: { view: BillingView }) {
  const { subscription, anytime, held, debt, worthUsd, subscriptionExpiresAt } = view.balance;
  const total = subscription + anytime;
  return (
    <>
      {debt > 0 && (
        <Notice look="warn">
          <strong>{credits(debt)} are owed.</strong> A payment was refunded or disputed after its credits had
          been spent or had expired. The next top-up pays this first.
        </Notice>
      )}
      <div className="billing-balance">
        <Stat
          name="Available now"
          value={
            <>
              <Figure value={total} isBalance />
              <WholeBalance value={total} />
            </>
          }
          note={`credits, worth ${price(worthUsd)}${held > 0 ? `; ${figure(held)} more held by running calls` : ""}`}
        />
        <Stat
          name="From this month's plan"
          value={<Figure value={subscription} isBalance />}
          note={
            subscriptionExpiresAt === null
              ? "This plan includes no credits at the moment"
              : `expire on ${day(subscriptionExpiresAt)}`
          }
        />
        <Stat
          name="Anytime"
          value={<Figure value={anytime} isBalance />}
          note="never expire, used after the plan's"
        />
      </div>
    </>
  );
}
