import type { Stopper, StopSignal } from "../../kit/index.ts";
import type { StreamedBody } from "./streamed-body.ts";

export type OutboundTimeouts = {
  /** Until the host takes the connection. */
  readonly connectMs: number;
  /** From the start until the first byte of the body. */
  readonly firstByteMs: number;
  /** Between two pieces of the body, while somebody waits for the next. */
  readonly idleMs: number;
};

export type OutboundInit = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | FormData | StreamedBody;
  /**
   * For an order, which is done twice where it comes twice: it takes a connection that has carried nothing yet. On
   * another one, whoever finds it dead sends the request again, and cannot know that nobody had read it.
   */
  readonly isSentOnce?: boolean | undefined;
  readonly signal: StopSignal;
  /** The signal's own, where the caller lends it: see the call guard. */
  readonly controller?: Stopper | undefined;
};

/** The body is read once, by this folder's functions only: they alone know its timeouts and its bound. */
export type OutboundResponse = {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: OutboundHeaders;
};

/** Names in lower case. */
type OutboundHeaders = {
  get(name: string): string | null;
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<[string, string]>;
};

export type OutboundFetch = (url: string, init: OutboundInit) => Promise<OutboundResponse>;
