import type { ReactNode } from "react";
import { Link } from "wouter";
import { credits, number } from "../../parts/format.ts";
import type { Payment } from "./replies.ts";

/** What it cost and what is left, as the gateway's own reply says. */
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
