import { isIP } from "node:net";
import type { Wire } from "./route.ts";

/**
 * The path as the runtime hands it over, which shows nothing of what was sent: it has taken backslashes for slashes and
 * resolved dot segments, encoded ones too, so `/v1/%2e%2e/metrics` is `/metrics` here. We decode nothing ourselves: an
 * encoded slash never becomes a real one. Where the Host header is unusable it is a bare path.
 */
export function pathOf(request: Request): string {
  const url = request.url;
  const start = pathStart(url);
  if (start < 0) return "";
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** What follows the question mark, without it. */
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

/** Whatever is not the compatible interface speaks the main one, unknown paths included. */
export function wireOf(path: string): Wire {
  return path.startsWith("/v1/") || path === "/v1" ? "openai" : "native";
}

/** Two Host headers arrive joined by a comma, which no host name contains. */
export function hasOneHost(request: Request): boolean {
  const host = request.headers.get("host");
  return host === null || !host.includes(",");
}

/**
 * Asked for by an address, or by a name that no domain can have. A browser on this machine may be shown a page whose own
 * name has become an address of ours, and would read for it whatever this machine may read.
 */
export function isHostWithoutDomain(request: Request): boolean {
  const name = (request.headers.get("host") ?? "").toLowerCase().replace(/:\d*$/, "");
  return !name.includes(".") || isIP(name) !== 0 || name.startsWith("[") || name.endsWith(".localhost");
}
