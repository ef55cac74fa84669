/** The interface's version, on every reply. */
export const API_VERSION = "1.0.0";

export type ReplyHeaders = Record<string, string>;

/** Headers of every reply of the API, errors included; a fresh object, which callers add to. */
export function apiHeaders(requestId: string): ReplyHeaders {
  return {
    "content-type": "application/json",
    "x-request-id": requestId,
    "x-api-version": API_VERSION,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

export function jsonReply(requestId: string, body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: apiHeaders(requestId) });
}
