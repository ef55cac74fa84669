/**
 * A provider's signature carries the provider's name in front. It is sent back to that provider only: any other would
 * refuse it.
 */
export function closeSeal(namespace: string, signature: string): string {
  return `${namespace}/${signature}`;
}

/** Null if there is none, or if it belongs to another provider. */
export function openSeal(namespace: string, seal: string | undefined): string | null {
  return seal?.startsWith(`${namespace}/`) ? seal.slice(namespace.length + 1) : null;
}
