import { isIP } from "node:net";
import type { Wire } from "./route.ts";

/**
 * The path as the runtime hands it over, already normalized: backslashes became slashes, and dot segments were
 * resolved, encoded ones too, so `/v1/%2e%2e/metrics` is `/metrics` here. We decode nothing ourselves, so an encoded
 * slash never becomes a real one. If the Host header is unusable, the URL is a bare path.
 */
export function pathOf(request: Request): string {
  const url = request.url;
  const start = pathStart(url);
  if (start < 0) return "";
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** The part after the question mark. */
export function queryOf(request: Request): string {
  const url = request.url;
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}

function pathStart(url: string): number {
  if (url.charCodeAt(0) === 0x2f) return 0;
  const authority = url.indexOf("//");
  return authority < 0 ? -1 : url.indexOf("/", authority + 2);
}

/** Clients may send any method name; in metrics and in the log it is one of a closed set. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function methodOf({ method }: Request): string {
  return METHODS.has(method) ? method : "other";
}

/** Every path outside the compatible interface uses the main one's format, unknown paths included. */
export function wireOf(path: string): Wire {
  return path.startsWith("/v1/") || path === "/v1" ? "openai" : "native";
}

/** Repeated Host headers arrive joined by a comma, which no host name contains. */
export function hasOneHost(request: Request): boolean {
  const host = request.headers.get("host");
  return host === null || !host.includes(",");
}

/**
 * True if the Host is an IP address or a name that no public domain can have. Guards against DNS rebinding: a page
 * whose domain resolves to this machine could otherwise make a local browser read whatever local clients may read.
 */
export function isHostWithoutDomain(request: Request): boolean {
  const name = (request.headers.get("host") ?? "").toLowerCase().replace(/:\d*$/, "");
  return !name.includes(".") || isIP(name) !== 0 || name.startsWith("[") || name.endsWith(".localhost");
}

const CLIENT_ID_HEADER = "x-client-request-id";
const CLIENT_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's own name for a request, which its reply repeats and the log shows; any other value is ignored. */
export function clientIdOf({ headers }: Request): string | undefined {
  const given = headers.get(CLIENT_ID_HEADER);
  return given !== null && CLIENT_ID.test(given) ? given : undefined;
}

export function withClientId(request: Request, response: Response): Response {
  const id = clientIdOf(request);
  if (id !== undefined) response.headers.set(CLIENT_ID_HEADER, id);
  return response;
}
