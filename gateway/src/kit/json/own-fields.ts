/**
 * Fields in which a reply reports on this gateway's own call. If the upstream is a gateway like this one, it reports on
 * its own calls, balance and checkout, which are not the caller's: these fields are removed from upstream replies.
 */
export const OWN_FIELDS = [
  "credits_charged",
  "credits_estimate",
  "balance",
  "efficiency",
  "checkout_url",
  "request_id",
] as const;
