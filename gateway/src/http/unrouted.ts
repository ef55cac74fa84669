import { AppError, newId } from "../kit/index.ts";
import type { ExchangeRecorder } from "./exchange-record.ts";
import { explainBehindModel, type Miss } from "./missing-path.ts";
import type { Refusals } from "./refusal.ts";
import { clientIdOf, methodOf, pathOf } from "./request-target.ts";

/** Answers requests that never reach a route. */
export type Unrouted = {
  refuse(request: Request, error: AppError): Response;
  /** For an error thrown where none should be: logged in full, and no detail of it is sent. */
  refuseUnexpected(request: Request, error: unknown): Response;
  refuseMethod(request: Request, allow: string): Response;
  refusePath(request: Request): Response;
};

export function createUnrouted(input: {
  readonly refusals: Refusals;
  readonly record: ExchangeRecorder;
  /** Says why there is nothing at a path. */
  explainPath(path: string): Miss;
}): Unrouted {
  const { refusals, record } = input;
  function refuse(request: Request, error: AppError, requestId = newId(), missed?: string): Response {
    const { status, code } = error;
    const clientId = clientIdOf(request);
    record({ requestId, clientId, method: methodOf(request), missed, status, elapsedMs: 0, code });
    return refusals.renderFor(request, error, requestId);
  }

  return {
    refuse: (request, error) => refuse(request, error),
    refuseUnexpected(request, error) {
      const requestId = newId();
      return refuse(request, refusals.asAppError(error, requestId), requestId);
    },
    refuseMethod(request, allow) {
      const miss = explainBehindModel(pathOf(request));
      const message = miss?.message ?? `This path takes ${allow} only.`;
      const error = new AppError("validation_error", message, { status: 405 });
      const response = refuse(request, error, newId(), miss?.name);
      response.headers.set("allow", allow);
      return response;
    },
    refusePath(request) {
      const { name, message } = input.explainPath(pathOf(request));
      return refuse(request, new AppError("validation_error", message, { status: 404 }), newId(), name);
    },
  };
}
