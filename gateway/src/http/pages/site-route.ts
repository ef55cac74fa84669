import { type AppError, newId } from "../../kit/index.ts";
import { compressed } from "../compressed.ts";
import type { Connection } from "../context.ts";
import type { ExchangeRecorder } from "../exchange-record.ts";
import type { Refusals } from "../refusal.ts";
import { clientIdOf } from "../request-target.ts";

/** A page of ours outside both interfaces: no key, GET and HEAD only. May throw `AppError`. */
export type SiteRoute = {
  readonly path: string;
  respond(visit: SiteVisit): Response | Promise<Response>;
};

export type SiteVisit = {
  readonly request: Request;
  readonly connection: Connection;
  readonly requestId: string;
};

export type SiteAnswerer = (exchange: {
  readonly route: SiteRoute;
  readonly record: ExchangeRecorder;
  readonly request: Request;
  readonly connection: Connection;
}) => Promise<Response>;

/** Errors of pages look like those of the main interface, except that a browser gets a 404 page. */
export function createSiteAnswerer(refusals: Refusals): SiteAnswerer {
  return async ({ route, record, request, connection }) => {
    const startedMs = performance.now();
    const requestId = newId();
    let refusal: AppError | undefined;
    let response: Response;
    try {
      response = await route.respond({ request, connection, requestId });
    } catch (error) {
      refusal = refusals.asAppError(error, requestId);
      response = refusals.renderFor(request, refusal, requestId);
    }
    response = await compressed(request, response);
    const { status } = response;
    const clientId = clientIdOf(request);
    record({ requestId, clientId, status, elapsedMs: performance.now() - startedMs, code: refusal?.code });
    return response;
  };
}
