/** The interface's version, on every reply. */
export const API_VERSION = "1.0.0";

/** Copied into each reply by the runtime, which is much cheaper than naming them again each time. */
const API_HEADERS = new Headers({
  "content-type": "application/json",
  "x-api-version": API_VERSION,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
});

/** A reply of the API, errors included; callers add to its headers. */
export function jsonReply(requestId: string, body: unknown, status = 200): Response {
  return textReply(requestId, JSON.stringify(body), status);
}

/** For text that is JSON already, or of the type that the caller sets; in pieces where it is long. */
export function textReply(
  requestId: string,
  text: string | ReadableStream<Uint8Array>,
  status = 200,
): Response {
  const response = new Response(text, { status, headers: API_HEADERS });
  response.headers.set("x-request-id", requestId);
  return response;
}

const STREAM_HEADERS = new Headers({
  "content-type": "text/event-stream; charset=utf-8",
  "x-api-version": API_VERSION,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Proxies that gather a reply before they pass it on would hold events back.
  "x-accel-buffering": "no",
});

/** A reply whose body comes in pieces; callers add to its headers. */
export function streamReply(requestId: string, body: ReadableStream<Uint8Array>): Response {
  const response = new Response(body, { headers: STREAM_HEADERS });
  response.headers.set("x-request-id", requestId);
  return response;
}
