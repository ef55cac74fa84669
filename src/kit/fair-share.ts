/** Room that many share, and what one of them has of it. */
export type SharedRoom = {
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
