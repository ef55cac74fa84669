import { isOutOfRoom } from "../../kit/index.ts";

/** Why our own PostgreSQL cannot run: one sentence for the operator, who needs no stack trace. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
  constructor(why: string, options?: ErrorOptions) {
    const repair =
      isOutOfRoom(why) || isOutOfRoom(options?.cause)
        ? "Free some space."
        : "Set DATABASE_URL to use a server of your own.";
    super(`The built-in PostgreSQL cannot start: ${why.replace(/\.$/, "")}. ${repair}`, options);
  }
}
