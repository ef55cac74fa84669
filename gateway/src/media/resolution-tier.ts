export const RESOLUTION_TIERS = ["1k", "2k", "4k"] as const;
export type ResolutionTier = (typeof RESOLUTION_TIERS)[number];

/** A tier is an area: that of a square with this side, after which it is named. */
export const TIER_SIDES: Readonly<Record<ResolutionTier, number>> = { "1k": 1024, "2k": 2048, "4k": 4096 };
