import { isDatabaseAway } from "../db/index.ts";
import { AppError } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import { closesConnection } from "./closing-status.ts";
import { nativeError } from "./native/errors.ts";
import { openaiError } from "./openai/errors.ts";
import { prefersPage } from "./pages/prefers-page.ts";
import { pathOf, wireOf } from "./request-target.ts";
import type { Wire } from "./route.ts";

export type Refusals = {
  render(wire: Wire, error: AppError, requestId: string): Response;
  /** For errors outside of an API call: in the format of the path's interface, or as a page for people. */
  renderFor(request: Request, error: AppError, requestId: string): Response;
  /** Anything that is not an `AppError` is our own bug: the log gets all details, the client none. */
  asAppError(error: unknown, requestId: string, model?: string): AppError;
};

export function createRefusals(options: {
  readonly publicUrl: string;
  readonly log: Log;
  /** The 404 page for people; absent if this process serves no pages. */
  missingPage?: ((requestId: string, error: AppError) => Response) | undefined;
}): Refusals {
  const { publicUrl, log, missingPage } = options;
  function withItsEnd(response: Response, error: AppError): Response {
    const isOver = closesConnection(error.status) && error.options.keepsConnection !== true;
    if (isOver) response.headers.set("connection", "close");
    if (error.status === 401) response.headers.set("www-authenticate", "Bearer");
    return response;
  }
  function render(wire: Wire, error: AppError, requestId: string): Response {
    const response =
      wire === "openai" ? openaiError(error, requestId, publicUrl) : nativeError(error, requestId, publicUrl);
    return withItsEnd(response, error);
  }
  return {
    render,
    renderFor(request, error, requestId) {
      const isShown = error.status === 404 && missingPage !== undefined && prefersPage(request);
      if (isShown) return withItsEnd(missingPage(requestId, error), error);
      return render(wireOf(pathOf(request)), error, requestId);
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
