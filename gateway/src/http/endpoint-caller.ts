import type { RouteAnswerer } from "./answer-route.ts";
import type { Connection, KnownCaller } from "./context.ts";
import type { ExchangeRecorder, RouteLabels } from "./exchange-record.ts";
import type { LoadGuard } from "./load/load-guard.ts";
import type { OverloadReply } from "./load/overload-reply.ts";
import type { ApiRoute } from "./route.ts";

/** `CallEndpoint` for any request. */
export type EndpointCaller = (call: {
  readonly path: string;
  readonly request: Request;
  readonly connection: Connection;
  readonly known: KnownCaller;
}) => Promise<Response> | null;

/** Runs API routes for our pages, with the limits and metrics of every call: pages have no endpoints of their own. */
export function createEndpointCaller(parts: {
  readonly routes: readonly ApiRoute[];
  readonly answerer: RouteAnswerer;
  readonly load: LoadGuard;
  readonly overloadReply: OverloadReply;
  recorderFor(labels: RouteLabels): ExchangeRecorder;
}): EndpointCaller {
  const { answerer, load, overloadReply } = parts;
  const endpoints = new Map<string, { route: ApiRoute; record: ExchangeRecorder }>();
  for (const route of parts.routes) {
    const { method, path } = route;
    endpoints.set(`${method} ${path}`, { route, record: parts.recorderFor({ method, route: path }) });
  }
  return ({ path, request, connection, known }) => {
    const found = endpoints.get(`${request.method} ${path}`);
    if (!found) return null;
    const { route, record } = found;
    if (!load.admits()) return Promise.resolve(overloadReply(route.wire));
    return answerer.answer({ route, record, request, connection, pathParams: {}, known });
  };
}
