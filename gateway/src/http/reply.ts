import { varyByEncoding } from "./compressed.ts";

/** The API's version, on every reply. */
export const API_VERSION = "1.0.0";

/** Shared by all replies: letting the runtime copy it is much cheaper than listing the headers each time. */
const API_HEADERS = new Headers({
  "content-type": "application/json",
  "x-api-version": API_VERSION,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
});

/** An API reply, errors included; callers add to its headers. */
export function jsonReply(requestId: string, body: unknown, status = 200): Response {
  return textReply(requestId, JSON.stringify(body), status);
}

/** For text that is already JSON, or whose content type the caller sets; bytes if compressed, a stream if long. */
export function textReply(
  requestId: string,
  text: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  status = 200,
): Response {
  const response = new Response(text, { status, headers: API_HEADERS });
  response.headers.set("x-request-id", requestId);
  varyByEncoding(response.headers, text);
  return response;
}

const STREAM_HEADERS = new Headers({
  "content-type": "text/event-stream; charset=utf-8",
  "x-api-version": API_VERSION,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Keeps proxies that buffer replies from holding events back.
  "x-accel-buffering": "no",
});

/** A reply with an event stream as its body; callers add to its headers. */
export function streamReply(requestId: string, body: ReadableStream<Uint8Array>): Response {
  const response = new Response(body, { headers: STREAM_HEADERS });
  response.headers.set("x-request-id", requestId);
  return response;
}
