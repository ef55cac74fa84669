const CLOSING: ReadonlySet<number> = new Set([408, 413]);

/** What is not read to its end, and not thrown away either, cannot be followed by another request on the same connection. */
export function closesConnection(status: number): boolean {
  return CLOSING.has(status);
}
