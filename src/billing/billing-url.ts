/** Where people pay: in letters, in refusals for want of credits, and the way back from Stripe. */
export function billingUrl(publicUrl: string): string {
  return `${publicUrl}/console/billing`;
}
