import type { ReactNode } from "react";
import { Link } from "wouter";
import { credits, number } from "../../parts/format.ts";
import type { Payment } from "./replies.ts";

/** Cost and remaining balance, from the gateway's reply. */
export function Paid({
  payment,
  requestId,
  children,
}: {
  payment: Payment;
  requestId: string;
  children?: ReactNode;
}) {
  const { subscription, anytime } = payment.balance;
  return (
    <p className="paid">
      <strong>{credits(payment.credits_charged)}</strong>
      <span>{number(subscription + anytime)} left</span>
      {children}
      <ReceiptLink requestId={requestId} />
    </p>
  );
}

export function ReceiptLink({ requestId }: { requestId: string }) {
  return <Link href={`/usage/${requestId}`}>Receipt</Link>;
}
