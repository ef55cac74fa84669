import type { AccountSnapshot, SeenEntry } from "./ledger-snapshot.ts";

/** One line of the ledger's log: an entry as it was first seen. */
export type LedgerLine = SeenEntry & { readonly org: string };

type LedgerReplay = {
  readonly heads: ReadonlyMap<string, number>;
  readonly entries: number;
  readonly faults: readonly string[];
  take(snapshots: readonly AccountSnapshot[]): void;
};

type Sums = { seq: number; subscription: number; anytime: number };

/** One fault fails the run; many of one kind say no more. */
const MOST_FAULTS = 50;

/** Sums up entries as they arrive, and compares every balance with the sum at every read. */
export function createLedgerReplay(write: (line: LedgerLine) => void): LedgerReplay {
  const sums = new Map<string, Sums>();
  const heads = new Map<string, number>();
  const faults: string[] = [];
  let entries = 0;

  function check(isRight: boolean, org: string, what: () => string): void {
    if (!isRight && faults.length < MOST_FAULTS) faults.push(`${org}: ${what()}`);
  }

  function add(org: string, sum: Sums, entry: SeenEntry): void {
    write({ org, ...entry });
    entries++;
    check(entry.seq === sum.seq + 1, org, () => `entry ${entry.seq} follows ${sum.seq}`);
    sum.seq = entry.seq;
    sum[entry.pool] += entry.amount;
    check(sum[entry.pool] === entry.after, org, () => `entry ${entry.seq} says ${entry.after} is left`);
  }

  function takeOne(snapshot: AccountSnapshot): void {
    const { org, subscription, anytime, debt, heldByHolds, head } = snapshot;
    const sum = sums.get(org) ?? { seq: 0, subscription: 0, anytime: 0 };
    sums.set(org, sum);
    for (const entry of snapshot.entries) add(org, sum, entry);
    heads.set(org, sum.seq);
    check(head === sum.seq, org, () => `the head is ${head}, the last entry ${sum.seq}`);
    const least = Math.min(...subscription, ...anytime, debt);
    check(least >= 0, org, () => `a balance is ${least}`);
    for (const [at, pool] of (["subscription", "anytime"] as const).entries()) {
      const [available, held] = pool === "subscription" ? subscription : anytime;
      check(
        available + held === sum[pool],
        org,
        () => `${pool}: ${available} + ${held} held, not ${sum[pool]}`,
      );
      check(heldByHolds[at] === held, org, () => `${pool}: ${held} held, by its holds ${heldByHolds[at]}`);
    }
  }

  return {
    heads,
    faults,
    get entries() {
      return entries;
    },
    take(snapshots) {
      for (const snapshot of snapshots) takeOne(snapshot);
    },
  };
}
