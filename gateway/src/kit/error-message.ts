/** A connection that failed on several addresses keeps their errors inside an AggregateError; the first is reported. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

/** The error code that the system or a server gave; undefined if none. */
export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
