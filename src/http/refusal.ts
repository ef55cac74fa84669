import { isDatabaseAway } from "../db/index.ts";
import { AppError } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import { closesConnection } from "./closing-status.ts";
import { nativeError } from "./native/errors.ts";
import { openaiError } from "./openai/errors.ts";
import type { Wire } from "./route.ts";

export type Refusals = {
  render(wire: Wire, error: AppError, requestId: string): Response;
  /** Anything that is no `AppError` is our own fault: the log gets all of it, the client nothing. */
  asAppError(error: unknown, requestId: string, model?: string): AppError;
};

export function createRefusals(options: {
  readonly publicUrl: string;
  readonly log: Log;
  isDraining(): boolean;
}): Refusals {
  const { publicUrl, log, isDraining } = options;
  return {
    render(wire, error, requestId) {
      const response =
        wire === "openai" ? openaiError(error, requestId, publicUrl) : nativeError(error, requestId);
      const isOver = closesConnection(error.status) && error.options.keepsConnection !== true;
      if (isDraining() || isOver) response.headers.set("connection", "close");
      return response;
    },
    asAppError(error, requestId, model) {
      const known = error instanceof AppError ? error : internalError(error);
      if (known.status >= 500) {
        const { target } = known.options;
        log.error("request_failed", { request_id: requestId, model, target, error: known });
      }
      return known;
    },
  };
}

function internalError(cause: unknown): AppError {
  if (isDatabaseAway(cause)) {
    const message = "The database is not available. Try again in a moment.";
    return new AppError("internal_error", message, { status: 503, retryAfterSeconds: 1, cause });
  }
  const message = "Something went wrong on our side. Quote the request_id to report it.";
  return new AppError("internal_error", message, { cause });
}
