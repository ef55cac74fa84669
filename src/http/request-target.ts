import type { Wire } from "./route.ts";

/**
 * The path exactly as it was sent: nothing is decoded, so an encoded slash or dot never becomes a real
 * one. The server resolves dot segments and hands us a bare path when the Host header is unusable.
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
