import { isIP } from "node:net";

/** Of a host's name or its address, an IPv6 one without brackets: only this machine is there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
