import { planOf } from "../catalog/index.ts";
import type { Principal } from "../identity/index.ts";
import { AppError } from "../kit/index.ts";
import type { Span } from "../telemetry/index.ts";
import { allow, principalOf } from "./authenticate.ts";
import { createBodyReader } from "./body.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Call, Connection, HttpDeps, KnownCaller } from "./context.ts";
import { fingerprintOf, idempotencyKeyOf } from "./idempotency.ts";
import { checkContentType, decodeJson } from "./json-body.ts";
import { type LongText, liftFields } from "./lifted-fields.ts";
import { memberUserIdOf } from "./member.ts";
import { createQuery } from "./query.ts";
import { queryOf } from "./request-target.ts";
import type { ApiRoute } from "./route.ts";

/** A request that found its route. */
export type RoutedRequest = {
  readonly request: Request;
  readonly connection: Connection;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly span: Span;
  /** Of calls that a page of ours makes; then neither a key nor a member is read from the headers. */
  readonly known?: KnownCaller | undefined;
};

type Body = { readonly bytes: Uint8Array; readonly value: unknown; readonly lifted: readonly LongText[] };

const NO_BODY: Body = { bytes: new Uint8Array(0), value: undefined, lifted: [] };

export type WalkRoute = (
  route: ApiRoute,
  routed: RoutedRequest,
  /** Filled in as soon as it is known who asks, for the log of what fails later. */
  caller: { principal?: Principal },
) => Promise<Response>;

type LongFields = { readonly names: readonly string[]; keepPlace(leave: () => void): void };

type Walk = {
  readonly route: ApiRoute;
  readonly routed: RoutedRequest;
  readonly caller: { principal?: Principal };
  readonly long: LongFields | null;
};

/**
 * The order of checks, one line each; the first that fails answers. Path and method came before; rate,
 * calls in flight and credits of spending calls come after, in one step, inside `handle`.
 */
export function createWalkRoute(deps: HttpDeps, clientAddress: ClientAddress): WalkRoute {
  const { identity, settings } = deps;
  const bodies = createBodyReader({
    bigBodyBytes: settings.bigBodyBytes,
    bigBodiesAtOnce: settings.bigBodiesAtOnce,
    timeoutMs: settings.bodyTimeoutMs,
  });

  function readBody({ request }: RoutedRequest, limitBytes: number, long: LongFields | null): Promise<Body> {
    return bodies.read(request, {
      limitBytes,
      use(bytes) {
        checkContentType(request.headers);
        const { rest, lifted } = long ? liftFields(bytes, long.names) : { rest: bytes, lifted: [] };
        return { bytes, value: decodeJson(rest, settings.jsonDepth), lifted };
      },
      keepPlace: long?.keepPlace,
    });
  }

  function admitRead({ organization }: Principal): void {
    const { requestsPerMinute } = planOf(deps.catalog.plans, organization.plan);
    const decision = deps.readLimiter.admitRead(organization.id, requestsPerMinute);
    if (decision.ok) return;
    throw new AppError("rate_limit_exceeded", "Too many reads in this minute.", {
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }

  async function walk({ route, routed, caller, long }: Walk): Promise<Response> {
    const { request, connection, pathParams, requestId, span, known } = routed;
    const { headers } = request;
    const asking = known
      ? allow(known.principal, route.scope)
      : principalOf({
          identity,
          headers,
          scope: route.scope,
          clientAddress: () => clientAddress.of(connection.peerAddress(request), headers),
        });
    const principal = asking instanceof Promise ? await asking : asking;
    caller.principal = principal;
    const body = route.bodyLimitBytes === null ? NO_BODY : await readBody(routed, route.bodyLimitBytes, long);
    const query = createQuery(queryOf(request));
    const fields = route.decode({ query, pathParams, body: body.value, lifted: body.lifted, headers });
    const member =
      known?.memberUserId ?? memberUserIdOf(identity.members, principal.organization.id, headers);
    const memberUserId = member instanceof Promise ? await member : member;
    const target = route.resolve(fields, principal);
    const idempotency = route.spends ? idempotencyOf(headers, body.bytes, memberUserId) : null;
    if (!route.spends) admitRead(principal);
    const streamEnded = () => connection.streamEnded(request);
    const clientLeft = () => request.signal;
    const call = { requestId, principal, memberUserId, idempotency, span, streamEnded, clientLeft };
    return route.handle(call, target);
  }

  /** What was cut out of a body stays in memory until the call is handled, so its place is kept as long. */
  async function walkInPlace(given: Omit<Walk, "long">, names: readonly string[]): Promise<Response> {
    let leave = () => {};
    const keepPlace = (way: () => void) => {
      leave = way;
    };
    try {
      return await walk({ ...given, long: { names, keepPlace } });
    } finally {
      leave();
    }
  }

  return (route, routed, caller) =>
    route.liftedFields === undefined
      ? walk({ route, routed, caller, long: null })
      : walkInPlace({ route, routed, caller }, route.liftedFields);
}

function idempotencyOf(
  headers: Headers,
  rawBody: Uint8Array,
  memberUserId: string | null,
): Call["idempotency"] {
  const key = idempotencyKeyOf(headers);
  if (key === null) return null;
  return { key, fingerprint: fingerprintOf(rawBody, memberUserId, headers.get("x-efficiency")) };
}
