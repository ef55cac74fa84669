import { AppError, createFairShares, overloaded } from "../../kit/index.ts";

/** Bounds the memory for media calls in progress, shared fairly by all organizations. */
type MediaRoom = {
  /** Null if it was taken, and must be given back; else the error that says why not. */
  take(orgId: string, weight: number): AppError | null;
  giveBack(orgId: string, weight: number): void;
};

/**
 * For all concurrent calls of this process: their files are in memory, and the limits of a plan alone would allow
 * more than a machine has.
 */
const MAX_WEIGHT = 512;

export function createMediaRoom(): MediaRoom {
  const weights = createFairShares({ most: MAX_WEIGHT });
  return {
    take(orgId, weight) {
      const { taken } = weights;
      if (taken > 0 && taken + weight > MAX_WEIGHT) return overloaded("too many media calls");
      return weights.take(orgId, weight) ? null : tooMuchOfOne();
    },
    giveBack: (orgId, weight) => weights.giveBack(orgId, weight),
  };
}

function tooMuchOfOne(): AppError {
  return new AppError(
    "rate_limit_exceeded",
    "This organization is already generating as many images and sounds as allowed. Try again when one has finished.",
    { retryAfterSeconds: 1 },
  );
}
