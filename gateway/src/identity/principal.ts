import type { Scope } from "./scopes.ts";

export const EFFICIENCY_LEVELS = ["off", "safe", "structural"] as const;
export type EfficiencyLevel = (typeof EFFICIENCY_LEVELS)[number];

/** The organization as a request needs it: its identity, what it may use, and how it wants to be served. */
export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: string;
  readonly active: boolean;
  readonly efficiency: EfficiencyLevel;
  /** Ids of models that the organization's admins disabled. */
  readonly disabledModels: ReadonlySet<string>;
};

/** A key's own limits, which apply in addition to those of its organization's plan; null if it has none. */
export type KeyLimits = {
  readonly requestsPerMinute: number | null;
  readonly inFlight: number | null;
};

/** The caller: an authenticated key and its organization. Immutable; replaced when anything changes. */
export type Principal = {
  readonly organization: Organization;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly limits: KeyLimits;
};
