import { createShares, type Shares } from "./shares.ts";

/** Room that many share, and what one of them has of it. */
type SharedRoom = {
  readonly most: number;
  /** By all of them together. */
  readonly taken: number;
  /** By the one who asks. */
  readonly own: number;
  /** What may be had for each one that is left to the others. */
  readonly perLeft: number;
};

/**
 * Whether one of them may take so much more. The more somebody has, the more must be left for the others; everybody's
 * first is taken where it fits, so nobody waits for those who have.
 */
export function mayTake({ most, taken, own, perLeft }: SharedRoom, more: number): boolean {
  const left = most - taken - more;
  return left >= 0 && (own === 0 || own + more <= perLeft * left);
}

/** Two thirds are the most of one who is alone: calls that fail cost their sender nothing, and others would wait. */
const PER_LEFT = 2;

/** Shares of such room, in whatever is counted. One of any size may be had alone. */
export function createFairShares({ most }: Pick<SharedRoom, "most">): Shares {
  // Neither bound is theirs to hold.
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
