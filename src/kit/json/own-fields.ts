/**
 * What a reply says in our name. Another gateway like this one says the same of its own calls and purse, which is not the
 * caller's, nor is where to pay: of an upstream it is left out.
 */
export const OWN_FIELDS = [
  "credits_charged",
  "credits_estimate",
  "balance",
  "efficiency",
  "checkout_url",
  "request_id",
] as const;
