import { Link } from "wouter";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Notice } from "../../parts/states.tsx";
import { checkoutOf, what } from "./orders.tsx";

/** For users who left the checkout. An order that was paid in another window meanwhile is not called unpaid. */
export function Left({ orderId }: { orderId: string }) {
  const { organization } = useSigned();
  const order = useAsk("order", { id: orderId }).data;
  if (order?.status !== "open") return null;
  const checkout = checkoutOf(order, organization);
  return (
    <Notice>
      <div className="spread">
        <span>You left the checkout for {what(order)}. Nothing was paid.</span>
        {checkout && (
          <Link href={checkout} className="button secondary">
            Continue to payment
          </Link>
        )}
      </div>
    </Notice>
  );
}
