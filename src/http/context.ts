import type { ReadLimiter } from "../admission/index.ts";
import type { Library } from "../assets/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { ChatStream, Generation, ResolvedCall, VideoCalls } from "../generation/index.ts";
import type { Identity, Principal } from "../identity/index.ts";
import type { DirectiveNote } from "../providers/index.ts";
import type { Log, Metrics, Span, Tracer } from "../telemetry/index.ts";
import type { Usage } from "../usage/index.ts";
import type { CallSeal } from "./openai/sealed/sealed-call-id.ts";
import type { ReasoningSeal } from "./openai/sealed/sealed-reasoning.ts";

/** Sizes, counts and addresses that bound the edge. */
export type HttpSettings = {
  /** Origin of every absolute URL that we hand out; never taken from a request. */
  readonly publicUrl: string;
  /** What every API key begins with. */
  readonly keyPrefix: string;
  /** What the gateway's own aliases of models begin with. */
  readonly aliasPrefix: string;
  /** Networks, as `address/bits`, whose word about the client's address is believed. */
  readonly trustedProxies: readonly string[];
  /** Null: metrics are for loopback only. */
  readonly metricsToken: string | null;
  readonly bodyBytes: number;
  readonly compatibleBodyBytes: number;
  readonly videoBodyBytes: number;
  /** Larger bodies pass a gate, this many at a time. */
  readonly bigBodyBytes: number;
  readonly bigBodiesAtOnce: number;
  /** How much the bodies above `bigBodyBytes` may have together while their calls run. */
  readonly bigBodiesBytes: number;
  readonly jsonDepth: number;
  readonly messages: number;
  /** Private hosts (`host` or `host:port`, in lower case) whose addresses clients may name to a provider. */
  readonly privateMediaHosts: readonly string[];
  /** From the first look at a body to its last byte; see `BodyReaderOptions`. */
  readonly bodyTimeoutMs: number;
  /** Silence of a stream's source after which a comment shows that the connection lives. */
  readonly keepAliveMs: number;
  /** How long a stream's reader may take nothing before it counts as gone. */
  readonly stallMs: number;
  /** Requests of this process at once; one more gets a 503. */
  readonly maxRunningCalls: number;
};

export type Readiness =
  | { readonly ready: true }
  /** `reason` is a sentence of ours for whoever operates the service. */
  | { readonly ready: false; readonly reason: string };

/** A part with its own pages, under a path: it answers everything there and never throws. */
export type Mount = {
  /** `/console` takes that path and everything below it. */
  readonly path: string;
  /** `clientAddress` is the one that is believed; `callEndpoint` is for this request alone. */
  handle(request: Request, clientAddress: string, callEndpoint?: CallEndpoint): Promise<Response>;
  /**
   * What the log and the metrics call the request: one of a closed set, with nothing in it that a client made up.
   * Without it, everything goes by the mount's path.
   */
  routeOf?(request: Request): string;
};

/** Who asks, where a page of ours knows that already: no key is looked for then. */
export type KnownCaller = {
  readonly principal: Principal;
  readonly memberUserId: string;
  /**
   * Once the body is whole and its fields are right, however long that took, and once more after what its call waited for;
   * rejects where they may no longer ask.
   */
  askAgain(): Promise<Principal>;
};

/**
 * Answers the request as the endpoint at `path` would, with its own body, query and headers, for a caller whom the
 * mount vouches for: every other check and bound is as ever. Null: there is no such endpoint for its method.
 */
export type CallEndpoint = (path: string, known: KnownCaller) => Promise<Response> | null;

/** Everything that the edge asks of the rest of the house. */
export type HttpDeps = {
  readonly settings: HttpSettings;
  readonly identity: Pick<Identity, "authenticate" | "keyGuard"> & {
    readonly members: Pick<Identity["members"], "isMember">;
  };
  readonly catalog: Catalog;
  readonly usage: Pick<Usage, "balanceView" | "usageView">;
  readonly library: Library;
  readonly readLimiter: ReadLimiter;
  readonly generation: Generation;
  readonly video: VideoCalls;
  /** What clients of the compatible interface carry for us from one turn to the next. */
  readonly callSeal: CallSeal;
  readonly reasoningSeal: ReasoningSeal;
  /** What the reference says about them. */
  readonly sandboxDirectives: readonly DirectiveNote[];
  readonly mounts?: readonly Mount[];
  /** Does the database answer, and take writes? Bounded in time by whoever provides it. */
  readiness(): Promise<Readiness>;
  /** Proves, to whoever can read the leases, that this process holds one of them. */
  proveLease(challenge: string): string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Metrics of the other processes on the same port, which are told this one's; bounded in time by whoever provides it. */
  siblingMetrics?(own: string): Promise<readonly string[]>;
  readonly tracer: Tracer;
  /** Of a process that only works in the background: health and figures are all that it answers. */
  readonly isHealthAlone?: boolean;
};

/** What the server knows of a request beside the request itself. */
export type Connection = {
  /** The address at the other end of the socket; null where there is none, as in tests without a port. */
  peerAddress(request: Request): string | null;
  /** To be called when an event stream has ended, so that its connection may be idle again. */
  streamEnded(request: Request): void;
};

/** An authenticated request whose fields are right: what a handler gets. */
export type Call = {
  readonly requestId: string;
  readonly principal: Principal;
  readonly memberUserId: string | null;
  /** Null where none was sent, and on routes that spend nothing. */
  readonly idempotency: ResolvedCall["idempotency"];
  readonly span: Span;
  /** Rejects where the caller may no longer ask: for what takes a while before anything is held. */
  askAgain(): Promise<void>;
  /** To be called when an event stream that answers this call has ended. */
  streamEnded(): void;
  /** For a call whose answer is a stream: its body counts as kept until that is over. */
  keptWith(stream: ChatStream): ChatStream;
  /** Fires when the client hangs up. A function, since merely looking at it makes the runtime keep watch. */
  clientLeft(): AbortSignal;
};
