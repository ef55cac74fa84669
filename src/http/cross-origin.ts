import { newId } from "../kit/index.ts";
import type { ExchangeRecorder } from "./exchange-record.ts";

/** Chromium's maximum. */
const PREFLIGHT_SECONDS = 7_200;
/** Names of headers; no client sends nearly as many. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/;
const USUAL_HEADERS = "authorization, content-type";

/**
 * CORS for both interfaces: any web page may call them, as it may call the providers behind them, and read what they
 * reply, errors included. Only the API key in the `Authorization` header counts here, which no browser adds by itself:
 * cookies are not read, and credentials are not allowed. Whatever else we serve stays closed to other origins.
 */
export function openToPages(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set("access-control-expose-headers", "*");
  return response;
}

/** Only browsers send an origin. */
export function isFromPage(request: Request): boolean {
  return request.headers.has("origin");
}

/** A browser asks whether a page may send a request, before it sends it. */
export function isPreflight(request: Request): boolean {
  const { method, headers } = request;
  return method === "OPTIONS" && isFromPage(request) && headers.has("access-control-request-method");
}

/** `allow` lists the methods of the path. */
export function answerPreflight(request: Request, allow: string, record: ExchangeRecorder): Response {
  const requestId = newId();
  record({ requestId, status: 204, elapsedMs: 0 });
  const wanted = request.headers.get("access-control-request-headers") ?? "";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": allow,
      "access-control-allow-headers": HEADER_NAMES.test(wanted) ? wanted : USUAL_HEADERS,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
      vary: "access-control-request-headers",
      "x-request-id": requestId,
    },
  });
}
