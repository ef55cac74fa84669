import type { ReadLimiter } from "../admission/index.ts";
import type { Library } from "../assets/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { ChatStream, Generation, InTurns, ResolvedCall, VideoCalls } from "../generation/index.ts";
import type { Identity, Principal } from "../identity/index.ts";
import type { SignedPlaces } from "../kit/index.ts";
import type { Log, Metrics, Span, Tracer } from "../telemetry/index.ts";
import type { Refusal, Usage } from "../usage/index.ts";
import type { CallSeal } from "./openai/sealed/sealed-call-id.ts";
import type { ReasoningSeal } from "./openai/sealed/sealed-reasoning.ts";

/** Sizes, counts and addresses that bound the edge. */
export type HttpSettings = {
  /** Origin of every absolute URL that we hand out; never taken from a request. */
  readonly publicUrl: string;
  /** The prefix of every API key. */
  readonly keyPrefix: string;
  /** The prefix of the gateway's own model aliases. */
  readonly aliasPrefix: string;
  /** Networks, as `address/bits`, that are trusted to name the client's address. */
  readonly trustedProxies: readonly string[];
  /** Null: metrics can be read from loopback only. */
  readonly metricsToken: string | null;
  readonly isProduction: boolean;
  readonly bodyBytes: number;
  readonly compatibleBodyBytes: number;
  readonly videoBodyBytes: number;
  /** Bodies larger than this pass a gate that lets `bigBodiesAtOnce` of them through at a time. */
  readonly bigBodyBytes: number;
  readonly bigBodiesAtOnce: number;
  /** Limit on the total size of the bodies above `bigBodyBytes` whose calls are running. */
  readonly bigBodiesBytes: number;
  readonly jsonDepth: number;
  readonly messages: number;
  /** Private hosts (`host` or `host:port`, in lower case) that clients may name in URLs for a provider. */
  readonly privateMediaHosts: readonly string[];
  /** From the start of reading a body to its last byte; see `BodyReaderOptions`. */
  readonly bodyTimeoutMs: number;
  /** If a stream's source is silent for this long, an SSE comment is sent to keep the connection alive. */
  readonly keepAliveMs: number;
  /** How long a stream's reader may take nothing before it counts as gone. */
  readonly stallMs: number;
  /** Requests that this process handles at once; any more get a 503. */
  readonly maxRunningCalls: number;
};

export type Readiness =
  | { readonly ready: true }
  /** `reason` is a sentence of ours for the operator. */
  | { readonly ready: false; readonly reason: string };

/** A part with its own pages, under a path: it answers everything there and never throws. */
export type Mount = {
  /** `/console` covers that path and everything below it. */
  readonly path: string;
  /** `clientAddress` is the trusted one; `callEndpoint` is valid for this request only. */
  handle(request: Request, clientAddress: string, callEndpoint?: CallEndpoint): Promise<Response>;
  /**
   * The request's route label in the log and the metrics: one of a closed set, with nothing in it that a client chose.
   * Without this method, every request is labelled with the mount's path.
   */
  routeOf?(request: Request): string;
};

/** A caller that one of our pages has already identified; no API key is read for it. */
export type KnownCaller = {
  readonly principal: Principal;
  readonly memberUserId: string;
  /**
   * Checks again that the caller may still make the call: once the body is read and its fields are valid, however long
   * that took, and again after anything the call had to wait for. Rejects if not.
   */
  askAgain(): Promise<Principal>;
};

/**
 * Answers the request as the endpoint at `path` would, with the request's own body, query and headers, for a caller
 * that the mount vouches for; every other check and limit applies. Null if `path` has no endpoint.
 */
export type CallEndpoint = (path: string, known: KnownCaller) => Response | Promise<Response> | null;

/** Everything that the HTTP edge needs from the rest of the system. */
export type HttpDeps = {
  readonly settings: HttpSettings;
  readonly identity: Pick<Identity, "authenticate" | "keyGuard"> & {
    readonly members: Pick<Identity["members"], "isMember">;
  };
  readonly catalog: Catalog;
  readonly usage: Pick<Usage, "balanceView" | "usageView">;
  readonly usageCursors: SignedPlaces;
  /** Called for every refused call whose organization is known. */
  countRefusal(this: void, refusal: Refusal): void;
  readonly library: Library;
  readonly readLimiter: ReadLimiter;
  readonly generation: Generation;
  readonly video: VideoCalls;
  /** Seals what clients of the compatible interface carry for us from one turn to the next. */
  readonly callSeal: CallSeal;
  readonly reasoningSeal: ReasoningSeal;
  readonly mounts?: readonly Mount[];
  /** False until everything that the start prints exists. Without this method, it does. */
  isPrepared?(): boolean;
  /** Does the database answer, and accept writes? The implementation bounds the time this takes. */
  readiness(): Promise<Readiness>;
  /** Proves to anyone who can read the processes table that this process holds one of them. */
  proveLease(challenge: string): string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Sends this process's metrics to its siblings on the same port and returns theirs, within a bounded time. */
  siblingMetrics?(own: string): Promise<readonly string[]>;
  readonly tracer: Tracer;
  /** True for a process that only does background work: it answers nothing but health and metrics. */
  readonly isHealthAlone?: boolean;
};

/** What the server knows about a request beyond the request itself. */
export type Connection = {
  /** The address at the other end of the socket; null if there is none, as in tests without a port. */
  peerAddress(request: Request): string | null;
  /** Must be called when an event stream has ended, so that its connection may time out again when idle. */
  streamEnded(request: Request): void;
};

/** An authenticated request with valid fields: what a handler gets. */
export type Call = InTurns & {
  readonly requestId: string;
  readonly principal: Principal;
  readonly memberUserId: string | null;
  /** Null if no key was sent, and on routes that spend nothing. */
  readonly idempotency: ResolvedCall["idempotency"];
  readonly span: Span;
  /** Rejects if the caller may no longer make the call. For work that takes a while before credits are held. */
  askAgain(): Promise<void>;
  /** Must be called when an event stream that answers this call has ended. */
  streamEnded(): void;
  /** For a call that is answered with a stream: its body counts as kept until the stream is over. */
  keptWith(stream: ChatStream): ChatStream;
  /** Aborts when the client disconnects. A function, because reading `request.signal` makes the runtime watch it. */
  clientLeft(): AbortSignal;
};
