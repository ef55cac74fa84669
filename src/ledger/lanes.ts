/** Charges and releases of calls. */
export const SETTLE_LANE = "settle";
/** The same of media, along with the row of their file. */
export const SETTLE_MEDIA_LANE = "settle_media";
/** Must not wait behind any call: who renews too late loses all that run. */
export const LEASE_LANE = "lease";
/** A sweep of hundreds must not make calls wait behind it for their connection; the accounts' locks order both. */
export const SWEEP_LANE = "sweep";

/** Those without which a call that runs cannot be charged. */
export const LANES_OF_CALLS: readonly string[] = [SETTLE_LANE, SETTLE_MEDIA_LANE, LEASE_LANE];
