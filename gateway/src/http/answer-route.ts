import { type AppError, newId } from "../kit/index.ts";
import { noopSpan, type Tracer } from "../telemetry/index.ts";
import { OTHER_MODEL } from "../usage/index.ts";
import { compressed } from "./compressed.ts";
import type { Connection, HttpDeps, KnownCaller } from "./context.ts";
import type { ExchangeRecorder } from "./exchange-record.ts";
import type { Refusals } from "./refusal.ts";
import { clientIdOf } from "./request-target.ts";
import type { ApiRoute } from "./route.ts";
import type { LoggedCall, WalkRoute } from "./walk-route.ts";

export type RouteAnswerer = {
  answer(exchange: {
    readonly route: ApiRoute;
    readonly record: ExchangeRecorder;
    readonly request: Request;
    readonly connection: Connection;
    readonly pathParams: Readonly<Record<string, string>>;
    readonly known: KnownCaller | undefined;
  }): Promise<Response>;
  /** Requests being answered now. */
  readonly running: number;
};

/** Gives a request its id, its span and its log line, whatever becomes of it. */
export function createRouteAnswerer(deps: {
  readonly walkRoute: WalkRoute;
  readonly refusals: Refusals;
  readonly tracer: Tracer;
  readonly countRefusal: HttpDeps["countRefusal"];
}): RouteAnswerer {
  const { walkRoute, refusals, tracer, countRefusal } = deps;
  let running = 0;

  return {
    async answer({ route, record, request, connection, pathParams, known }) {
      const startedMs = performance.now();
      const requestId = newId();
      const span = tracer.enabled
        ? tracer.start(`${route.method} ${route.path}`, request.headers.get("traceparent"))
        : noopSpan;
      const logged: LoggedCall = {};
      let refusal: AppError | null = null;
      let response: Response;
      running++;
      try {
        const routed = { request, connection, pathParams, requestId, span, startedMs, known };
        response = await walkRoute(route, routed, logged);
      } catch (error) {
        refusal = refusals.asAppError(error, requestId, logged.model);
        response = refusals.render(route.wire, refusal, requestId);
        const { principal, model = OTHER_MODEL } = logged;
        if (principal && isRefusal(route, refusal)) {
          const { keyId, organization } = principal;
          countRefusal({ orgId: organization.id, keyId, model, code: refusal.code });
        }
      } finally {
        running--;
      }
      if (response.headers.has("vary")) response = await compressed(request, response);
      record({
        requestId,
        clientId: clientIdOf(request),
        status: response.status,
        elapsedMs: performance.now() - startedMs,
        code: refusal?.code,
        organizationId: logged.principal?.organization.id,
        keyId: logged.principal?.keyId,
        model: logged.model,
      });
      if (tracer.enabled) {
        span.set("http.response.status_code", response.status);
        span.set("bursar.request_id", requestId);
        span.end(refusal?.code);
      }
      return response;
    },
    get running() {
      return running;
    },
  };
}

/** Of a call that would have spent, and has no record of its own. */
function isRefusal({ spends }: ApiRoute, { status, options }: AppError): boolean {
  return spends && status < 500 && options.isAdmitted !== true;
}
