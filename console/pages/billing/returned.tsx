import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { OrderRow } from "../../../gateway/src/http/console/contract.ts";
import { askAgain } from "../../api/ask-again.ts";
import { useAsk } from "../../api/use-ask.ts";
import { capital, number } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import { what } from "./orders.tsx";

const ASK_AGAIN_MS = 2_000;
const CHANGED = ["billing.get", "ledger.list", "session", "usage.overview"] as const;

/** For users who come back from paying. Coming back proves nothing: only the reported payment does. */
export function Returned({ orderId }: { orderId: string }) {
  const client = useQueryClient();
  const [isOver, setOver] = useState(false);
  const answer = useAsk("order.get", { id: orderId }, isOver ? {} : { everyMs: ASK_AGAIN_MS });
  const order = answer.data;
  const status = order?.status ?? "open";
  useEffect(() => {
    if (status === "open") return;
    setOver(true);
    for (const changed of CHANGED) void askAgain(client, changed);
  }, [client, status]);
  if (!order) return answer.error ? <Notice look="warn">{answer.error.message}</Notice> : null;
  if (order.status === "open") {
    return (
      <Notice>
        <strong>Waiting for the payment of {what(order)}.</strong> It appears here as soon as it is confirmed,
        usually within seconds. You can leave this page; nothing is lost.
      </Notice>
    );
  }
  if (order.status === "paid") {
    return (
      <Notice look="good">
        {order.kind === "pack"
          ? `Thank you. You bought ${number(order.credits)} anytime credits.`
          : `Thank you. The ${capital(order.item)} plan has started, with ${number(order.credits)} credits for this month.`}
      </Notice>
    );
  }
  return <Notice look="warn">{endedWords(order)}</Notice>;
}

/** For users who come back to an order that was reversed or never paid. */
export function endedWords(order: OrderRow): string {
  const words = `The order for ${what(order)} was`;
  if (order.status === "refunded") return `${words} paid and has been refunded.`;
  return order.status === "disputed" ? `${words} paid, and the payment is disputed.` : `${words} not paid.`;
}
