import { useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import type { OrderRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk, useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { number } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Answer, Notice, Skeleton } from "../../parts/states.tsx";
import { what } from "./orders.tsx";
import { price } from "./price.ts";

/** Takes the place of Stripe's page for test payments: nobody pays, but the credits are real. */
export function TestCheckout({ id }: { id: string }) {
  const { administers } = useSigned();
  const order = useAsk("order.get", { id }, { isOff: !administers });
  return (
    <Page title="Test checkout">
      <div className="test-mark">
        <Icon name="flask-conical" />
        <div>
          <strong>This is not a real payment.</strong> No card is asked for and no money is taken. The credits
          are added as if you had paid, so that you can try everything out. In production this page does not
          exist.
        </div>
      </div>
      {administers ? (
        <Answer
          of={order}
          waiting={<Skeleton height={220} />}
          whenGone={
            <Link href="/billing" className="button secondary">
              Go to billing
            </Link>
          }
        >
          {(found) => <Bill order={found} />}
        </Answer>
      ) : (
        <Notice look="warn">Only owners and admins can add credits.</Notice>
      )}
    </Page>
  );
}

function Bill({ order }: { order: OrderRow }) {
  const { organization } = useSigned();
  const [, go] = useLocation();
  const pay = useCommand("order.pay-test", [
    "order.get",
    "billing.get",
    "ledger.list",
    "session",
    "usage.overview",
  ]);
  const back = `/billing?organization=${organization.id}`;
  const client = useQueryClient();
  function showPaid() {
    // Otherwise the old balance would be shown until the new one is loaded.
    for (const changed of ["billing.get", "ledger.list"]) client.removeQueries({ queryKey: [changed] });
    go(`${back}&order=${order.id}`);
  }
  return (
    <Card title="Your order">
      <div className="stack">
        <div className="spread">
          <strong>{what(order)}</strong>
          <span className="choice-price">
            {price(order.usd)}
            {order.kind === "plan" && <span className="dim small"> a month</span>}
          </span>
        </div>
        {order.kind === "plan" && (
          <p className="dim">{number(order.credits)} credits for the first month, and again every month.</p>
        )}
        {order.status === "paid" && <Notice look="good">This order has already been paid.</Notice>}
        {pay.error && <Notice look="bad">{pay.error.message}</Notice>}
        {order.status === "paid" ? (
          <div className="form-actions">
            <Link href="/billing" className="button secondary">
              Go to billing
            </Link>
          </div>
        ) : (
          <div className="form-actions">
            <Link href={`${back}&left=${order.id}`} className="button secondary">
              Back without paying
            </Link>
            <Button
              look="primary"
              disabled={!organization.isActive}
              isBusy={pay.isPending}
              onClick={() => pay.mutate({ id: order.id }, { onSuccess: showPaid })}
            >
              Pretend to pay {price(order.usd)}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
