/**
 * A provider's signature travels with the name of the provider in front: handed to another one it is left
 * out, since it would be refused there.
 */
export function closeSeal(namespace: string, signature: string): string {
  return `${namespace}/${signature}`;
}

/** Null where there is none, or where it is somebody else's. */
export function openSeal(namespace: string, seal: string | undefined): string | null {
  return seal?.startsWith(`${namespace}/`) ? seal.slice(namespace.length + 1) : null;
}
