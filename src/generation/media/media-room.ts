import { AppError, createFairShares, overloaded } from "../../kit/index.ts";

/** The memory that files in the making may take, shared by all organizations. */
type MediaRoom = {
  /** Why there is none now; null: it was taken, and must be given back. */
  take(orgId: string, weight: number): AppError | null;
  giveBack(orgId: string, weight: number): void;
};

/** Of all calls of this process at once: their files are in memory, and a plan alone allows more than a machine has. */
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
