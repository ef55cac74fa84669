const CLOSING: ReadonlySet<number> = new Set([408, 413]);

/**
 * With these statuses the rest of the body was neither read nor discarded, so the connection cannot carry another
 * request.
 */
export function closesConnection(status: number): boolean {
  return CLOSING.has(status);
}
