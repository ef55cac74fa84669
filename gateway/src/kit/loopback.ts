import { isIP } from "node:net";

/** Takes a host name or an IP address, IPv6 without brackets. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
