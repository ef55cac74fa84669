/** Where people pay: in letters, in refusals for want of credits, and the way back from Stripe. */
export function billingUrl(publicUrl: string): string {
  return `${publicUrl}/console/billing`;
}

/** For one organization: who belongs to several may be looking at another, and would pay for that one. */
export function billingUrlFor(billingUrl: string, organizationId: string): string {
  return `${billingUrl}?organization=${organizationId}`;
}
