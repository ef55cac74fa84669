import type { Clock } from "../../kit/index.ts";

/** A token bucket per person, for reads or for commands, so that no page slows down paid calls or other pages. */
export type AskAllowance = {
  /** Seconds until the cost is affordable; 0 if it was taken. */
  take(person: string, cost: number): number;
};

type AskAllowanceOptions = {
  clock: Clock;
  /** A page makes a handful of requests; someone who opens ten tabs makes ten times as many. */
  atOnce?: number;
  perSecond?: number;
  /** At most this many people are remembered; the one idle longest is forgotten, which only resets the allowance. */
  maxRemembered?: number;
};

type Left = { amount: number; atMs: number };

export function createAskAllowance(options: AskAllowanceOptions): AskAllowance {
  const { clock, atOnce = 400, perSecond = 40, maxRemembered = 10_000 } = options;
  /** Ordered by last request, the most recent last. */
  const people = new Map<string, Left>();

  function leftOf(person: string, nowMs: number): number {
    const left = people.get(person);
    if (!left) return atOnce;
    return Math.min(atOnce, left.amount + ((nowMs - left.atMs) / 1000) * perSecond);
  }

  return {
    take(person, cost) {
      const nowMs = clock.elapsedMs();
      const left = leftOf(person, nowMs);
      if (left < cost) return Math.max(1, Math.ceil((cost - left) / perSecond));
      people.delete(person);
      if (people.size >= maxRemembered) {
        const [quietest] = people.keys();
        if (quietest !== undefined) people.delete(quietest);
      }
      people.set(person, { amount: left - cost, atMs: nowMs });
      return 0;
    },
  };
}
