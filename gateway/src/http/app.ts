import { AppError } from "../kit/index.ts";
import { createRouteAnswerer } from "./answer-route.ts";
import { missingPage, referenceRoutes } from "./api-docs/index.ts";
import { createUnreadRests } from "./body/unread-rest.ts";
import { createClientAddress } from "./client-address.ts";
import type { Connection, HttpDeps } from "./context.ts";
import { answerPreflight, isFromPage, isOpenToPages, isPreflight, openToPages } from "./cross-origin.ts";
import { createEventStreams } from "./event-stream.ts";
import { createExchangeRecorders } from "./exchange-record.ts";
import { healthRoutes } from "./health.ts";
import { libraryRoutes } from "./library/index.ts";
import { createLoadGuard } from "./load/load-guard.ts";
import { createOverloadReply } from "./load/overload-reply.ts";
import { explainHealthAlone, explainMissingPath } from "./missing-path.ts";
import { createRefusals } from "./refusal.ts";
import { clientIdOf, hasOneHost, pathOf, withClientId } from "./request-target.ts";
import type { ApiRoute } from "./route.ts";
import { createRouter } from "./router.ts";
import { createRoutes } from "./routes.ts";
import { createStreamFailureNote } from "./stream-failure.ts";
import { createUnrouted } from "./unrouted.ts";
import { createWalkRoute } from "./walk-route.ts";

export type App = {
  fetch(request: Request, connection: Connection): Response | Promise<Response>;
  /**
   * Checked before any other work is done for a request. Returns the refusal if there is no room for one more call,
   * else null. Even ten times more calls than can be answered must not slow down those that are being answered.
   */
  refuseOverload(request: Request): Response | null;
  /** Called before a refusal is sent, so that it arrives: resolves once the rest of the body is out of the way. */
  takeUnread(request: Request, response: Response, connection: Connection): Promise<void>;
  /** Calls of both interfaces that are being answered now. */
  readonly running: number;
  /** The route table of both interfaces, for the tests that run against every route. */
  readonly routes: readonly ApiRoute[];
};

export function createApp(deps: HttpDeps): App {
  const { settings, log, tracer, metrics } = deps;
  const clientAddress = createClientAddress(settings.trustedProxies);
  const recorderFor = createExchangeRecorders(metrics, log);
  const isHealthAlone = deps.isHealthAlone === true;
  const mounts = isHealthAlone ? [] : (deps.mounts ?? []);
  const hasConsole = mounts.some(({ path }) => path === "/console");
  const refusals = createRefusals({
    publicUrl: settings.publicUrl,
    log,
    missingPage: isHealthAlone
      ? undefined
      : (requestId, { message }) => missingPage(requestId, { message, hasConsole }),
  });
  const unrouted = createUnrouted({
    refusals,
    record: recorderFor({ method: "none", route: "none" }),
    explainPath: isHealthAlone ? explainHealthAlone : explainMissingPath,
  });
  const recordPreflight = recorderFor({ method: "OPTIONS", route: "none" });
  const walkRoute = createWalkRoute(deps, clientAddress);
  const answerer = createRouteAnswerer({ walkRoute, refusals, tracer, countRefusal: deps.countRefusal });
  const eventStreams = createEventStreams(settings);
  const noteFailure = createStreamFailureNote(refusals, metrics);
  const routes = isHealthAlone ? [] : createRoutes(deps, { eventStreams, noteFailure });
  const overloadReply = createOverloadReply(refusals, metrics);
  const wireOfPost = new Map(
    routes.filter(({ method }) => method === "POST").map(({ path, wire }) => [path, wire]),
  );
  const load = createLoadGuard({
    maxRunningCalls: settings.maxRunningCalls,
    unanswered: () => answerer.running,
    streaming: () => eventStreams.open,
    log,
  });
  const unread = createUnreadRests({ routes, timeoutMs: settings.bodyTimeoutMs, clientAddress });
  const pages = () => [...referenceRoutes({ settings, routes, hasConsole }), ...libraryRoutes(deps)];
  const router = createRouter({
    routes,
    site: [...healthRoutes(deps, clientAddress), ...(isHealthAlone ? [] : pages())],
    mounts,
    answerer,
    unrouted,
    refusals,
    clientAddress,
    load,
    overloadReply,
    recorderFor,
  });
  metrics.gauge("bursar_http_requests_running", "Requests being answered now.").read(() => answerer.running);
  metrics.gauge("bursar_streams_open", "Event streams open now.").read(() => eventStreams.open);
  metrics
    .gauge(
      "bursar_running_limit",
      "Calls that may wait for an answer before more are refused; falls under load.",
    )
    .read(() => load.limit);

  function refuseTarget(request: Request): Response | null {
    if (!hasOneHost(request)) return unrouted.refuse(request, twoHosts());
    // The target of CONNECT is not a path: there is nothing to look up.
    if (request.method === "CONNECT") return unrouted.refuseMethod(request, "GET, POST, DELETE");
    return null;
  }

  return {
    fetch(request, connection) {
      const isOpen = isFromPage(request) && !isHealthAlone && isOpenToPages(pathOf(request));
      if (isOpen && isPreflight(request)) return openToPages(answerPreflight(request, recordPreflight));
      const response = refuseTarget(request) ?? router.fetch(request, connection);
      if (!isOpen && clientIdOf(request) === undefined) return response;
      const mark = (reply: Response) => {
        const named = withClientId(request, reply);
        return isOpen ? openToPages(named) : named;
      };
      return response instanceof Promise ? response.then(mark) : mark(response);
    },
    refuseOverload(request) {
      if (!load.isFull || request.method !== "POST") return null;
      const wire = wireOfPost.get(pathOf(request));
      if (wire === undefined || load.admits()) return null;
      return isFromPage(request) ? openToPages(overloadReply(wire)) : overloadReply(wire);
    },
    takeUnread: unread.take,
    get running() {
      return answerer.running;
    },
    routes,
  };
}

function twoHosts(): AppError {
  return new AppError("validation_error", "Host: must be sent once", { field: "Host" });
}
