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
  readonly signal: AbortSignal;
  /** The signal's own, where the caller lends it: see the call guard. */
  readonly controller?: AbortController | undefined;
};

/** The body is read once, by this folder's functions only: they alone know its timeouts and its bound. */
export type OutboundResponse = Pick<Response, "status" | "ok" | "headers">;

export type OutboundFetch = (url: string, init: OutboundInit) => Promise<OutboundResponse>;
