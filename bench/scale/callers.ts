import { percentile } from "../table.ts";
import type { ScaleOrganization } from "./make-organizations.ts";

export type CallTally = {
  readonly seconds: number;
  readonly byStatus: ReadonlyMap<number, number>;
  /** What was charged according to the replies, by organization. */
  readonly chargedBy: ReadonlyMap<string, number>;
  /** Minutes since 1970 in which a call was both made and refused by rate: in them the limit was reached. */
  readonly fullMinutes: ReadonlySet<number>;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

type CallOrders = {
  readonly origin: string;
  /** Who makes the call with this number. */
  caller(at: number): ScaleOrganization;
  readonly connections: number;
  readonly text?: string;
  /** Asked before each call, with the replies so far; false ends the load. */
  goesOn(at: number, byStatus: ReadonlyMap<number, number>): boolean;
};

/** Makes calls over this many connections. Limits may answer 402 and 429; any other status but 200 is a failure. */
export async function call(orders: CallOrders): Promise<CallTally> {
  const times: number[] = [];
  const byStatus = new Map<number, number>();
  const chargedBy = new Map<string, number>();
  const fullMinutes = new Set<number>();
  let next = 0;
  const startedMs = performance.now();
  async function connection(): Promise<void> {
    while (orders.goesOn(next, byStatus)) {
      const { id, key } = orders.caller(next++);
      const minute = Math.floor(Date.now() / 60_000);
      const sentMs = performance.now();
      const { status, charged } = await chat(orders, key);
      times.push(performance.now() - sentMs);
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      chargedBy.set(id, (chargedBy.get(id) ?? 0) + charged);
      if (status === 429 && Math.floor(Date.now() / 60_000) === minute) fullMinutes.add(minute);
    }
  }
  await Promise.all(Array.from({ length: orders.connections }, connection));
  const seconds = (performance.now() - startedMs) / 1000;
  times.sort((a, b) => a - b);
  return {
    seconds,
    byStatus,
    chargedBy,
    fullMinutes,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}

export function forSeconds(seconds: number): () => boolean {
  const untilMs = performance.now() + seconds * 1000;
  return () => performance.now() < untilMs;
}

/** Continues until this many calls were refused with the status, which may take a slow machine some time. */
export function untilRefused(
  status: number,
  times: number,
  mostSeconds: number,
): (at: number, byStatus: ReadonlyMap<number, number>) => boolean {
  const inTime = forSeconds(mostSeconds);
  return (_, byStatus) => (byStatus.get(status) ?? 0) < times && inTime();
}

async function chat(orders: CallOrders, key: string): Promise<{ status: number; charged: number }> {
  const response = await fetch(`${orders.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "bench-chat",
      max_tokens: 100,
      messages: [{ role: "user", content: orders.text ?? "Say something of some length for testing." }],
    }),
  });
  const { status } = response;
  const body = await response.text();
  if (status === 200) {
    return { status, charged: (JSON.parse(body) as { credits_charged: number }).credits_charged };
  }
  if (status !== 402 && status !== 429) throw new Error(`${status}: ${body}`);
  return { status, charged: 0 };
}
