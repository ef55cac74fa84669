/** Why our own PostgreSQL cannot run: one sentence for the operator, who needs no stack trace. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
  constructor(why: string, options?: ErrorOptions) {
    super(
      `The built-in PostgreSQL cannot start: ${why.replace(/\.$/, "")}. Set DATABASE_URL to use a server of your own.`,
      options,
    );
  }
}

export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
