import { createShares, type Shares } from "./shares.ts";

/** Capacity that many share, and the part that one owner holds. */
type SharedRoom = {
  readonly most: number;
  /** Taken by all owners together. */
  readonly taken: number;
  /** Taken by the owner that asks. */
  readonly own: number;
  /** How much an owner may hold for each unit that it leaves free. */
  readonly perLeft: number;
};

/**
 * Whether the owner may take `more`. The more it holds, the more must stay free for others. An owner that holds nothing
 * may take whatever fits, so nobody waits for those who already have some.
 */
export function mayTake({ most, taken, own, perLeft }: SharedRoom, more: number): boolean {
  const left = most - taken - more;
  return left >= 0 && (own === 0 || own + more <= perLeft * left);
}

/** Lets a lone owner take at most two thirds: failed calls cost their sender nothing, and others would have to wait. */
const PER_LEFT = 2;

/** Fair shares of a capacity in any unit. An amount of any size may be taken while nothing else is taken. */
export function createFairShares({ most }: Pick<SharedRoom, "most">): Shares {
  // Unlimited: `mayTake` checks the limits.
  const shares = createShares({ all: Number.POSITIVE_INFINITY, ofOne: Number.POSITIVE_INFINITY });
  return {
    take(owner, amount) {
      const { taken } = shares;
      if (taken > 0 && !mayTake({ most, taken, own: shares.of(owner), perLeft: PER_LEFT }, amount))
        return false;
      return shares.take(owner, amount);
    },
    giveBack: shares.giveBack,
    of: shares.of,
    get taken() {
      return shares.taken;
    },
  };
}
