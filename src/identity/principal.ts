import type { Scope } from "./scopes.ts";

export const EFFICIENCY_LEVELS = ["off", "safe", "structural"] as const;
export type EfficiencyLevel = (typeof EFFICIENCY_LEVELS)[number];

/** The organization as a request needs it: who it is, what it may use, how it wants to be served. */
export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: string;
  readonly active: boolean;
  readonly efficiency: EfficiencyLevel;
  /** Model ids that the organization's admins switched off. */
  readonly disabledModels: ReadonlySet<string>;
};

/** Limits that a key sets below its organization's plan; null where it has none of its own. */
export type KeyLimits = {
  readonly requestsPerMinute: number | null;
  readonly inFlight: number | null;
};

/** Who asks: an authenticated key and its organization. Immutable; replaced when anything changes. */
export type Principal = {
  readonly organization: Organization;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly limits: KeyLimits;
};
