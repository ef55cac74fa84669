/**
 * The page where people pay; linked from emails and from refusals for lack of credits, and the return address from
 * Stripe.
 */
export function billingUrl(publicUrl: string): string {
  return `${publicUrl}/console/billing`;
}

/** Names the organization: a person who belongs to several may have another one selected, and would pay for that. */
export function billingUrlFor(billingUrl: string, organizationId: string): string {
  return `${billingUrl}?organization=${organizationId}`;
}
