/** Below what a balance can hold, so that the figure is exact. */
const WANTED = /^[1-9]\d{0,14}$/;

/** The amount that a checkout link asks for; null for anything that is none. */
export function parseCredits(text: string | null): number | null {
  return text !== null && WANTED.test(text) ? Number(text) : null;
}

export function billingPath(credits: number): `/console/billing?credits=${number}` {
  return `/console/billing?credits=${credits}`;
}
