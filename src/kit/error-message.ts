/** What went wrong, in words. A connection that fails on several addresses keeps them inside. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

/** What the system calls it, or a server; undefined where nobody has. */
export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
