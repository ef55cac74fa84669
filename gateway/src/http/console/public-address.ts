import { pathOf, queryOf } from "../request-target.ts";

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * The same page at the public URL, for someone who typed another loopback name of this machine: cookies and the origin
 * check go by the public one. Null for every other name, since a proxy may pass on any Host.
 */
export function publicTwin(publicUrl: string, request: Request): string | null {
  const ours = new URL(publicUrl);
  const asked = URL.parse(request.url);
  if (!asked || asked.hostname === ours.hostname || asked.port !== ours.port) return null;
  if (!LOOPBACK_NAMES.has(ours.hostname) || !LOOPBACK_NAMES.has(asked.hostname)) return null;
  const query = queryOf(request);
  return `${ours.origin}${pathOf(request)}${query === "" ? "" : `?${query}`}`;
}
