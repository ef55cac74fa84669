import { planOf } from "../catalog/index.ts";
import type { ChatStream } from "../generation/index.ts";
import { ANSWER_HOLDS_MS, createKeyCodec, type Principal } from "../identity/index.ts";
import { AppError, type RateState, type Steps } from "../kit/index.ts";
import type { Span } from "../telemetry/index.ts";
import { allow, principalOf } from "./authenticate.ts";
import { createBodyReader, LITTLE_BYTES } from "./body/body.ts";
import { CallWork } from "./body/call-work.ts";
import { createFairQueue } from "./body/fair-queue.ts";
import { bodySteps, checkContentType } from "./body/json-body.ts";
import { createKeptBodies, type KeptBody } from "./body/kept-bodies.ts";
import { type LiftedTexts, liftFields, NOTHING_LIFTED } from "./body/lifted-fields.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Call, Connection, HttpDeps, KnownCaller } from "./context.ts";
import { idempotencyOf } from "./idempotency.ts";
import { setRateHeaders } from "./mark-reply.ts";
import { memberUserIdOf } from "./member.ts";
import { createQuery } from "./query.ts";
import { queryOf } from "./request-target.ts";
import type { ApiRoute } from "./route.ts";

/** A request whose route is known. */
type RoutedRequest = {
  readonly request: Request;
  readonly connection: Connection;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly span: Span;
  /** As measured by `performance.now()`. */
  readonly startedMs: number;
  /** Set for calls that one of our pages makes; then neither key nor member is read from the headers. */
  readonly known?: KnownCaller | undefined;
};

type Body = {
  readonly bytes: Uint8Array;
  readonly value: unknown;
  readonly lifted: LiftedTexts;
};

/** At most three of eight places for large bodies go to one organization. */
const LARGE_BODY_SHARE_PER_ORGANIZATION = 3 / 8;
const NO_BODY: Body = { bytes: new Uint8Array(0), value: undefined, lifted: NOTHING_LIFTED };

/** Filled in as soon as caller and model are known, so that later failures are logged with them. */
export type LoggedCall = { principal?: Principal; model?: string | undefined };

export type WalkRoute = (route: ApiRoute, routed: RoutedRequest, logged: LoggedCall) => Promise<Response>;

/**
 * Fields that are cut out of a body before it is parsed (`liftedFields`); until they are used, the body keeps its
 * place at the gate.
 */
type LongFields = { readonly names: readonly string[]; keepPlace(leave: () => void): void };

type Walk = {
  readonly route: ApiRoute;
  readonly routed: RoutedRequest;
  readonly logged: LoggedCall;
  readonly long: LongFields | null;
};

/**
 * The order of checks is that of `walk`, from top to bottom; the first that fails answers. Path and method are checked
 * before. Rate, calls in flight and credits of calls that spend are checked after, in one step, inside `handle`.
 */
export function createWalkRoute(deps: HttpDeps, clientAddress: ClientAddress): WalkRoute {
  const { identity, settings } = deps;
  const { keyChars } = createKeyCodec(settings.keyPrefix);
  const queue = createFairQueue();
  const bodies = createBodyReader({
    queue,
    bigBodyBytes: settings.bigBodyBytes,
    bigBodiesAtOnce: settings.bigBodiesAtOnce,
    bigBodiesOfOne: Math.max(1, Math.floor(settings.bigBodiesAtOnce * LARGE_BODY_SHARE_PER_ORGANIZATION)),
    timeoutMs: settings.bodyTimeoutMs,
  });

  const keptBodies = createKeptBodies(settings);

  function parse(given: Walk, bytes: Uint8Array, work: CallWork): Body | Promise<Body> {
    checkContentType(given.routed.request.headers);
    if (bytes.byteLength > LITTLE_BYTES) work.begin();
    return work.inTurns(parseSteps(given, bytes));
  }

  function* parseSteps({ route: { repairTexts }, long }: Walk, bytes: Uint8Array): Steps<Body> {
    if (long === null) {
      const value = yield* bodySteps(bytes, settings.jsonDepth, repairTexts);
      return { bytes, value, lifted: NOTHING_LIFTED };
    }
    const { rest, lifted } = liftFields(bytes, long.names);
    return { bytes, value: yield* bodySteps(rest, settings.jsonDepth), lifted };
  }

  /** Returns the body; the time to parse it and the memory it keeps are recorded in `work`. */
  function readBody(given: Walk, work: CallWork): Body | Promise<Body> {
    const { routed, route, long } = given;
    const { bodyLimitBytes: limitBytes } = route;
    if (limitBytes === null) return NO_BODY;
    const { owner } = work;
    const use = (bytes: Uint8Array) => {
      // A lifted body keeps its place at the gate instead.
      if (long === null) work.kept = keptBodies.take(owner, bytes.byteLength);
      return parse(given, bytes, work);
    };
    return bodies.read(routed.request, { owner, limitBytes, use, keepPlace: long?.keepPlace });
  }

  function admitRead({ organization }: Principal): RateState {
    const { requestsPerMinute } = planOf(deps.catalog.plans, organization.plan);
    const { ok, rate } = deps.readLimiter.admitRead(organization.id, requestsPerMinute);
    if (ok) return rate;
    const retryAfterSeconds = rate.resetSeconds;
    throw new AppError("rate_limit_exceeded", "Too many reads in this minute.", { retryAfterSeconds, rate });
  }

  /** Whatever comes of an admitted read says how many more may follow; calls that spend are counted elsewhere. */
  async function read(route: ApiRoute, call: Call, target: unknown): Promise<Response> {
    const rate = admitRead(call.principal);
    try {
      const response = await route.handle(call, target);
      setRateHeaders(route.wire, response.headers, rate);
      return response;
    } catch (error) {
      throw error instanceof AppError ? error.withRate(rate) : error;
    }
  }

  const addressOf = (request: Request, connection: Connection) =>
    clientAddress.of(connection.peerAddress(request), request.headers);

  function ask({ route: { scope }, routed, logged }: Walk): Principal | Promise<Principal> {
    const { request, connection, known } = routed;
    if (known) {
      logged.principal = known.principal;
      return allow(known.principal, scope);
    }
    const { headers } = request;
    return principalOf({
      identity,
      headers,
      scope,
      keyChars,
      clientAddress: addressOf,
      request,
      connection,
      logged,
    });
  }

  /**
   * A key may become invalid while the body arrives. Null if what was established at `knownMs` is still fresh, as for
   * nearly every call.
   */
  function askAgain(given: Walk, knownMs: number): Principal | Promise<Principal> | null {
    const { known } = given.routed;
    if (known) return given.route.bodyLimitBytes === null ? null : askKnownAgain(known, given.route);
    return performance.now() - knownMs < ANSWER_HOLDS_MS ? null : ask(given);
  }

  async function walk(given: Walk): Promise<Response> {
    const { route, routed, logged } = given;
    const { request, pathParams, known } = routed;
    const { headers } = request;
    const asking = ask(given);
    let principal = asking instanceof Promise ? await asking : asking;
    let knownMs = asking instanceof Promise ? performance.now() : routed.startedMs;
    const { id: orgId } = principal.organization;
    const work = new CallWork(queue, orgId);
    let answering: Response | Promise<Response>;
    try {
      const reading = readBody(given, work);
      const body = reading instanceof Promise ? await reading : reading;
      const query = createQuery(queryOf(request));
      const fields = route.decode({ query, pathParams, body: body.value, lifted: body.lifted, headers });
      const again = askAgain(given, knownMs);
      if (again !== null) {
        principal = again instanceof Promise ? await work.pauseDuring(again) : again;
        knownMs = performance.now();
      }
      const member = known?.memberUserId ?? memberUserIdOf(identity.members, orgId, headers);
      const memberUserId = member instanceof Promise ? await work.pauseDuring(member) : member;
      const target = route.resolve(fields, principal);
      logged.model = route.modelOf?.(target).id;
      const idempotency = route.spends ? idempotencyOf(headers, body.bytes, memberUserId) : null;
      const stillMay = () => askAgain(given, knownMs);
      const call = new WalkedCall(routed, principal, memberUserId, idempotency, work, stillMay);
      answering = route.spends ? route.handle(call, target) : read(route, call, target);
    } catch (error) {
      work.fail(error);
      throw error;
    } finally {
      work.end();
    }
    return work.watched(answering);
  }

  /** What was cut out of a body stays in memory until the call is handled, so it keeps its place at the gate. */
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

  return (route, routed, logged) =>
    route.liftedFields === undefined
      ? walk({ route, routed, logged, long: null })
      : walkInPlace({ route, routed, logged }, route.liftedFields);
}

async function askKnownAgain(known: KnownCaller, { scope }: ApiRoute): Promise<Principal> {
  return allow(await known.askAgain(), scope);
}

class WalkedCall implements Call {
  readonly requestId: string;
  readonly span: Span;
  readonly #request: Request;
  readonly #connection: Connection;
  readonly kept: KeptBody | null;
  readonly #work: CallWork;
  readonly #stillMay: () => unknown;

  constructor(
    { request, connection, requestId, span }: RoutedRequest,
    readonly principal: Principal,
    readonly memberUserId: string | null,
    readonly idempotency: Call["idempotency"],
    work: CallWork,
    stillMay: () => Principal | Promise<Principal> | null,
  ) {
    this.requestId = requestId;
    this.span = span;
    this.kept = work.kept;
    this.#work = work;
    this.#request = request;
    this.#connection = connection;
    this.#stillMay = stillMay;
  }

  async askAgain(): Promise<void> {
    await this.#stillMay();
  }

  inTurns<Value>(steps: Steps<Value>): Value | Promise<Value> {
    const value = this.#work.inTurns(steps);
    return value instanceof Promise ? this.#stillAsking(value) : value;
  }

  async #stillAsking<Value>(working: Promise<Value>): Promise<Value> {
    const value = await working.finally(() => this.#work.end());
    await this.askAgain();
    return value;
  }

  streamEnded(): void {
    this.#connection.streamEnded(this.#request);
  }

  keptWith(stream: ChatStream): ChatStream {
    return this.kept?.keptWith(stream) ?? stream;
  }

  clientLeft(): AbortSignal {
    return this.#request.signal;
  }
}
