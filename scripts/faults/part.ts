/** What the command was asked for. */
type FaultsOptions = {
  readonly isLong: boolean;
  readonly seed: number;
  /** Of the random run; null: as many as its form has. */
  readonly calls: number | null;
  /** Of the races. */
  readonly rounds: number;
  /** Of the simulation. */
  readonly seeds: number;
};

/** One proof of `npm run faults`: prints its table, saves its figures if it was a whole run, and says whether all of it held. */
export type FaultsPart = (options: FaultsOptions) => Promise<boolean>;
