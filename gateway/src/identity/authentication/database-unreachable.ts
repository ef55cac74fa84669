import { AppError } from "../../kit/index.ts";

/** We cannot tell who is calling right now. Not the client's fault, and worth a retry soon. */
export function databaseUnreachable(cause: unknown): AppError {
  return new AppError(
    "internal_error",
    "The service cannot check who is asking right now. Try again in a moment.",
    {
      status: 503,
      retryAfterSeconds: 1,
      internal: `identity look-up failed: ${String(cause)}`,
      cause,
    },
  );
}
