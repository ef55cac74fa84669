import { AppError } from "../kit/index.ts";
import { createRouteAnswerer } from "./answer-route.ts";
import { createClientAddress } from "./client-address.ts";
import type { Connection, HttpDeps } from "./context.ts";
import { createExchangeRecorders } from "./exchange-record.ts";
import { healthRoutes } from "./health.ts";
import { referenceRoutes } from "./reference/index.ts";
import { createRefusals } from "./refusal.ts";
import { hasOneHost } from "./request-target.ts";
import type { ApiRoute } from "./route.ts";
import { createRouter } from "./router.ts";
import { createRoutes } from "./routes.ts";
import { createUnrouted } from "./unrouted.ts";
import { createWalkRoute } from "./walk-route.ts";

export type App = {
  fetch(request: Request, connection: Connection): Response | Promise<Response>;
  /** From now on every new request is told to come back, and its connection is closed. */
  beginDrain(): void;
  /** Calls of both interfaces that are being answered now. */
  readonly running: number;
  /** The table behind both interfaces, for the suite that tests every route of it. */
  readonly routes: readonly ApiRoute[];
};

export function createApp(deps: HttpDeps): App {
  const { settings, log, tracer, metrics } = deps;
  let draining = false;
  const clientAddress = createClientAddress(settings.trustedProxies);
  const recorderFor = createExchangeRecorders(metrics, log);
  const refusals = createRefusals({ publicUrl: settings.publicUrl, log, isDraining: () => draining });
  const unrouted = createUnrouted(refusals, recorderFor({ method: "none", route: "none" }));
  const walkRoute = createWalkRoute(deps, clientAddress);
  const answerer = createRouteAnswerer({ walkRoute, refusals, tracer });
  const routes = createRoutes(deps);
  const mounts = deps.mounts ?? [];
  const router = createRouter({
    routes,
    site: [...healthRoutes(deps, clientAddress), ...referenceRoutes({ settings, routes, mounts })],
    mounts,
    answerer,
    unrouted,
    refusals,
    clientAddress,
    maxRunning: settings.maxRunning,
    recorderFor,
  });
  const running = metrics.gauge("bursar_http_requests_running", "Calls that are being answered now.");
  running.read(() => answerer.running);

  return {
    fetch(request, connection) {
      if (draining) return unrouted.refuseForNow(request, "The service is shutting down.");
      if (!hasOneHost(request)) return unrouted.refuse(request, twoHosts());
      const { method } = request;
      // Never forwarded and never echoed, whatever the path.
      if (method === "TRACE" || method === "CONNECT")
        return unrouted.refuseMethod(request, "GET, POST, DELETE");
      return router.fetch(request, connection);
    },
    beginDrain() {
      draining = true;
    },
    get running() {
      return answerer.running;
    },
    routes,
  };
}

function twoHosts(): AppError {
  return new AppError("validation_error", "Host: must be sent once", { field: "Host" });
}
