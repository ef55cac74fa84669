type FaultsOptions = {
  readonly isLong: boolean;
  readonly seed: number;
  /** For the random run; null for its usual number. */
  readonly calls: number | null;
  /** For the races. */
  readonly rounds: number;
  /** For the simulation. */
  readonly seeds: number;
};

/**
 * One proof of `npm run faults`: prints its table, saves the figures of a whole run, and returns whether all of it
 * held.
 */
export type FaultsPart = (options: FaultsOptions) => Promise<boolean>;
