const CLOSING: ReadonlySet<number> = new Set([408, 413]);

/** After these statuses the rest of the body was neither read nor discarded, so the connection cannot be used again. */
export function closesConnection(status: number): boolean {
  return CLOSING.has(status);
}
