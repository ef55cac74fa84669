import type { Clock } from "../../kit/index.ts";

/** What somebody may read, or command, at once and over time, so that no page keeps paid calls and others' pages waiting. */
export type AskAllowance = {
  /** Seconds until there is enough for something of that cost; 0 where it was taken. */
  take(person: string, cost: number): number;
};

type AskAllowanceOptions = {
  clock: Clock;
  /** A page asks for a handful of things, and somebody who opens ten tabs for ten times as many. */
  atOnce?: number;
  perSecond?: number;
  /** People remembered at most; whoever was quiet longest is forgotten, which only forgives. */
  maxRemembered?: number;
};

type Left = { amount: number; atMs: number };

export function createAskAllowance(options: AskAllowanceOptions): AskAllowance {
  const { clock, atOnce = 400, perSecond = 40, maxRemembered = 10_000 } = options;
  /** Whoever asked last stands last. */
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
