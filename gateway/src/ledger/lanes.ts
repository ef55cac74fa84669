/** Charges and releases for calls. */
export const SETTLE_LANE = "settle";
/** Charges and releases for media calls, together with the rows of their files. */
export const SETTLE_MEDIA_LANE = "settle_media";
/** Separate, so that a renewal never waits behind calls: a late one may lose every running call. */
export const LEASE_LANE = "lease";
/**
 * Separate, so that calls do not wait for a connection behind a sweep of hundreds of holds. The account locks order the
 * two.
 */
export const SWEEP_LANE = "sweep";

/** The lanes that a running call needs in order to be charged. */
export const LANES_OF_CALLS: readonly string[] = [SETTLE_LANE, SETTLE_MEDIA_LANE, LEASE_LANE];
