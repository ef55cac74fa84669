const CLOSING: ReadonlySet<number> = new Set([408, 413]);

/** After these statuses some of the body may be unread, and then no other request can follow on the connection. */
export function closesConnection(status: number): boolean {
  return CLOSING.has(status);
}
