import { newId } from "../kit/index.ts";
import type { ExchangeRecorder } from "./exchange-record.ts";
import { API_VERSION } from "./reply.ts";
import { wireOf } from "./request-target.ts";

/** Chromium's maximum. */
const PREFLIGHT_SECONDS = 7_200;
/** Any, on every path: a page must be able to read that a path has no such method, or does not exist. */
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Names of headers; no client sends nearly as many. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/;
const USUAL_HEADERS = "authorization, content-type";

const MAIN_OR_FILES = /^\/(?:functions\/v1(?:\/|$)|library\/)/;

/** Both interfaces and the files of the library; everything else that we serve stays closed to other origins. */
export function isOpenToPages(path: string): boolean {
  return wireOf(path) === "openai" || MAIN_OR_FILES.test(path);
}

/**
 * CORS: any web page may call the API, as it may call the providers behind it, and read what it replies, errors
 * included. Only the API key in the `Authorization` header counts there, which no browser adds by itself: cookies are
 * not read, and credentials are not allowed. A file needs no key: whoever has its URL has the file.
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
export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

/** Even for a path that does not exist: else the page would learn nothing but that its request failed. */
export function answerPreflight({ headers }: Request, record: ExchangeRecorder): Response {
  const requestId = newId();
  record({ requestId, status: 204, elapsedMs: 0 });
  const wanted = headers.get("access-control-request-headers") ?? "";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": HEADER_NAMES.test(wanted) ? wanted : USUAL_HEADERS,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
      vary: "access-control-request-headers",
      "cache-control": "no-store",
      "x-api-version": API_VERSION,
      "x-request-id": requestId,
    },
  });
}
