import { Link } from "wouter";
import type { OrderRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { capital, number } from "../../parts/format.ts";
import { When } from "../../parts/when.tsx";
import { price } from "./price.ts";

const STATES: Readonly<Record<OrderRow["status"], readonly [string, BadgeLook]>> = {
  open: ["Not paid yet", "info"],
  paid: ["Paid", "good"],
  expired: ["Not paid", "plain"],
  refunded: ["Refunded", "warn"],
  disputed: ["Disputed", "bad"],
};

type OrdersProps = {
  readonly orders: readonly OrderRow[];
  /** The plan that begins next month: its order is then paid automatically. */
  readonly nextPlan: string | null;
};

export function Orders({ orders, nextPlan }: OrdersProps) {
  return (
    <Card title="Orders" isFlush>
      {orders.length === 0 ? (
        <p className="dim nothing">No purchases yet. Packs and plans you buy appear here.</p>
      ) : (
        <div className="table-scroll">
          <table className="table stacks">
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">When</th>
                <th scope="col" className="end">
                  Price
                </th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <tr key={order.id}>
                  <th scope="row">{what(order)}</th>
                  <td data-label="When">
                    <When at={order.createdAt} />
                  </td>
                  <td data-label="Price" className="end">
                    {price(order.usd)}
                    {order.kind === "plan" && " a month"}
                  </td>
                  <td data-label="State">
                    <span className="row">
                      <OrderState order={order} isNext={order.kind === "plan" && order.item === nextPlan} />
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

export function what({ kind, item, credits }: OrderRow): string {
  return kind === "pack" ? `${number(credits)} anytime credits` : `${capital(item)} plan`;
}

/** Path at which an order can still be paid. The URL of a Stripe checkout is not kept. */
export function checkoutOf(
  { id, status, isTest }: OrderRow,
  { isActive }: { readonly isActive: boolean },
): string | null {
  return isTest && status === "open" && isActive ? `/billing/checkout/${id}` : null;
}

function OrderState({ order, isNext }: { order: OrderRow; isNext: boolean }) {
  const { organization } = useSigned();
  const [words, look] = STATES[order.status];
  if (isNext && order.status === "open") return <Badge look="info">Starts next month</Badge>;
  const checkout = checkoutOf(order, organization);
  const isPartly = order.status === "paid" && order.refundedUsd > 0;
  return (
    <>
      <Badge look={look}>{words}</Badge>
      {isPartly && <Badge look="warn">{price(order.refundedUsd)} refunded</Badge>}
      {order.isTest && <Badge>Test</Badge>}
      {checkout && <Link href={checkout}>Continue to payment</Link>}
    </>
  );
}
