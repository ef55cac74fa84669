import type { MissingCredits } from "../kit/index.ts";

/**
 * The page where people pay; linked from emails, and the return address from Stripe.
 */
export function billingUrl(publicUrl: string): string {
  return `${publicUrl}/console/billing`;
}

/** Names the organization: a person who belongs to several may have another one selected, and would pay for that. */
export function billingUrlFor(billingUrl: string, organizationId: string): string {
  return `${billingUrl}?organization=${organizationId}`;
}

/** Where a refused call's credits can be bought. With what it needs, the page knows when they have been paid. */
export function checkoutUrl(publicUrl: string, missing: MissingCredits | undefined): string {
  const page = billingUrl(publicUrl);
  if (!missing) return page;
  return `${billingUrlFor(page, missing.organizationId)}&credits=${missing.credits}&needed=${missing.needed}`;
}
