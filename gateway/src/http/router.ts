import { Hono } from "hono";
import type { RouteAnswerer } from "./answer-route.ts";
import type { ClientAddress } from "./client-address.ts";
import { compressed } from "./compressed.ts";
import type { Connection, KnownCaller, Mount } from "./context.ts";
import type { ExchangeRecorder, RouteLabels } from "./exchange-record.ts";
import type { LoadGuard } from "./load/load-guard.ts";
import type { OverloadReply } from "./load/overload-reply.ts";
import { createSiteAnswerer, type SiteAnswerer, type SiteRoute } from "./pages/site-route.ts";
import type { Refusals } from "./refusal.ts";
import { methodOf, pathOf } from "./request-target.ts";
import type { ApiRoute } from "./route.ts";
import type { Unrouted } from "./unrouted.ts";

/**
 * A reply to HEAD has the headers of GET, its length included, and no body. Only what a GET returns gets here, which is
 * finite and small; whatever is not states its own length.
 */
async function withLengthForHead(
  { method }: Request,
  answering: Response | Promise<Response>,
): Promise<Response> {
  const response = await answering;
  if (method !== "HEAD" || response.body === null || response.headers.has("content-length")) return response;
  const { byteLength } = await response.arrayBuffer();
  response.headers.set("content-length", String(byteLength));
  return new Response(null, response);
}

type Router = { fetch(request: Request, connection: Connection): Response | Promise<Response> };

type Patterns = Hono<{ Bindings: Connection }>;
type PathHandler = (
  request: Request,
  connection: Connection,
  pathParams?: Readonly<Record<string, string>>,
  /** Whom one of our pages vouches for: its calls have the limits and metrics of every call. */
  known?: KnownCaller,
) => Response | Promise<Response>;

type RouterParts = {
  readonly routes: readonly ApiRoute[];
  readonly site: readonly SiteRoute[];
  readonly mounts: readonly Mount[];
  readonly answerer: RouteAnswerer;
  readonly unrouted: Unrouted;
  readonly refusals: Refusals;
  readonly clientAddress: ClientAddress;
  /** Limits API calls only: pages and health are answered even under overload. */
  readonly load: LoadGuard;
  readonly overloadReply: OverloadReply;
  recorderFor(labels: RouteLabels): ExchangeRecorder;
};

const NO_PARAMS: Readonly<Record<string, string>> = {};

/**
 * Path first, then method: one handler per path and no middleware, so a call passes through nothing else. An API path
 * without parameters is found in one lookup; all others are matched by patterns.
 */
export function createRouter(parts: RouterParts): Router {
  const exact = new Map<string, PathHandler>();
  const patterns = createPatterns(parts, exact);
  return {
    fetch(request, connection) {
      const handle = exact.get(pathOf(request));
      return handle === undefined ? patterns.fetch(request, connection) : handle(request, connection);
    },
  };
}

function createPatterns(parts: RouterParts, exact: Map<string, PathHandler>): Patterns {
  const router: Patterns = new Hono({ getPath: pathOf });
  const answerSite = createSiteAnswerer(parts.refusals);
  for (const group of Map.groupBy(parts.routes, (route) => route.path).values()) {
    const path = group[0]?.path ?? "";
    if (path.includes(":")) addPathWithParams(router, parts, group);
    else exact.set(path, handlerOf(parts, group));
  }
  for (const route of parts.site) addSitePath(router, parts, { route, answerSite });
  for (const mount of parts.mounts) addMount(router, parts, { mount, answerSite, exact });
  router.notFound(({ req }) =>
    withLengthForHead(req.raw, compressed(req.raw, parts.unrouted.refusePath(req.raw))),
  );
  router.onError((error, { req }) => parts.unrouted.refuseUnexpected(req.raw, error));
  return router;
}

function addPathWithParams(router: Patterns, parts: RouterParts, routes: readonly ApiRoute[]): void {
  const handle = handlerOf(parts, routes);
  router.all(routes[0]?.path ?? "", ({ req, env }) => handle(req.raw, env, req.param()));
}

/** Handles all methods of one path. */
function handlerOf(parts: RouterParts, routes: readonly ApiRoute[]): PathHandler {
  const { answerer, unrouted, load, overloadReply } = parts;
  const path = routes[0]?.path ?? "";
  const byMethod = new Map<string, { route: ApiRoute; record: ExchangeRecorder }>();
  for (const route of routes) {
    byMethod.set(route.method, { route, record: parts.recorderFor({ method: route.method, route: path }) });
  }
  const read = byMethod.get("GET");
  if (read) byMethod.set("HEAD", read);
  const allow = [...byMethod.keys()].join(", ");
  return (request, connection, pathParams = NO_PARAMS, known) => {
    const found = byMethod.get(request.method);
    if (!found) return unrouted.refuseMethod(request, allow);
    const { route, record } = found;
    if (!load.admits()) return overloadReply(route.wire);
    const exchange = { route, record, request, connection, pathParams, known };
    if (request.method === "HEAD") return withLengthForHead(request, answerer.answer(exchange));
    return answerer.answer(exchange);
  };
}

function addSitePath(
  router: Patterns,
  parts: RouterParts,
  { route, answerSite }: { readonly route: SiteRoute; readonly answerSite: SiteAnswerer },
): void {
  const record = parts.recorderFor({ method: "GET", route: route.path });
  router.all(route.path, ({ req, env }) => {
    const request = req.raw;
    if (request.method !== "GET" && request.method !== "HEAD") {
      return parts.unrouted.refuseMethod(request, "GET, HEAD");
    }
    return withLengthForHead(request, answerSite({ route, record, request, connection: env }));
  });
}

function addMount(
  router: Patterns,
  parts: RouterParts,
  given: {
    readonly mount: Mount;
    readonly answerSite: SiteAnswerer;
    readonly exact: ReadonlyMap<string, PathHandler>;
  },
): void {
  const { mount, answerSite, exact } = given;
  const { clientAddress } = parts;
  const recordOf = createMountRecorders(parts, mount);
  const route: SiteRoute = {
    path: mount.path,
    async respond({ request, connection, requestId }) {
      const address = clientAddress.of(connection.peerAddress(request), request.headers);
      const response = await mount.handle(
        request,
        address,
        (path, known) => exact.get(path)?.(request, connection, NO_PARAMS, known) ?? null,
      );
      // A call of an endpoint already has its own id, which its receipt has, too.
      if (!response.headers.has("x-request-id")) response.headers.set("x-request-id", requestId);
      return response;
    },
  };
  // `/*` matches the mount's path itself, too.
  router.all(`${mount.path}/*`, ({ req, env }) =>
    withLengthForHead(
      req.raw,
      answerSite({ route, record: recordOf(req.raw), request: req.raw, connection: env }),
    ),
  );
}

/** A mount's routes are not known in advance: each gets its recorder when it is first requested, and keeps it. */
function createMountRecorders(
  { recorderFor }: RouterParts,
  mount: Mount,
): (request: Request) => ExchangeRecorder {
  const recorders = new Map<string, ExchangeRecorder>();
  return (request) => {
    const method = methodOf(request);
    const route = mount.routeOf?.(request) ?? mount.path;
    return recorders.getOrInsertComputed(`${method} ${route}`, () => recorderFor({ method, route }));
  };
}
