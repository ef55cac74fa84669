import type { Stopper, StopSignal } from "../kit/index.ts";
import type { Pieces } from "./http1/index.ts";
import type { StreamedBody } from "./streamed-body.ts";

export type OutboundTimeouts = {
  /** Until the host accepts the connection. */
  readonly connectMs: number;
  /** From the start of the call to the first byte of the body. */
  readonly firstByteMs: number;
  /** Between two pieces of the body, while a read is pending. */
  readonly idleMs: number;
};

export type OutboundInit = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Pieces | Blob | FormData | StreamedBody;
  /**
   * For orders, which are carried out twice if they arrive twice: uses a fresh connection. On a pooled one that turns
   * out to be dead the request is sent again, without knowing that nobody had read it.
   */
  readonly isSentOnce?: boolean | undefined;
  readonly signal: StopSignal;
  /** The controller of `signal`, if the caller lends it: see the call guard. */
  readonly controller?: Stopper | undefined;
};

/** The body is read once, and only by the functions of this folder: they alone know its timeouts and its size limit. */
export type OutboundResponse = {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: OutboundHeaders;
};

/** Names are in lower case. */
type OutboundHeaders = {
  get(name: string): string | null;
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<[string, string]>;
};

export type OutboundFetch = (url: string, init: OutboundInit) => Promise<OutboundResponse>;
